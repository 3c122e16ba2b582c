-- insert-ringing: as insert, and tells other processes, if one has a node other than these; answers the ids, and whether it told.
with fresh as (
  insert into treadle_job (id, created_at, type, method, arguments, priority, traits)
  select id, now(), type, method, arguments, priority, traits
    from unnest(?::uuid[], ?::text[], ?::text[], ?::text[], ?::smallint[], ?::text[])
      as new (id, type, method, arguments, priority, traits)
  on conflict (id) do nothing
  returning id, priority),
ready as (
  insert into treadle_ready (lane, priority, run_at, job_id, attempt)
  select ?::smallint, priority, now(), id, 0 from fresh),
counted as (
  insert into treadle_tally (enqueued) select count(*) from fresh having count(*) > 0)
select id, (select pg_notify('treadle_due', '')
             where exists (select from treadle_node where gone_at is null and id <> all (?))) is not null
  from fresh

-- insert-one-ringing: as insert-one, and tells other processes, if one has a node other than these; answers whether it told.
with fresh as (
  insert into treadle_job (id, created_at, type, method, arguments, priority, traits)
  values (?, now(), ?, ?, ?, ?, ?)
  on conflict (id) do nothing
  returning id, priority),
ready as (
  insert into treadle_ready (lane, priority, run_at, job_id, attempt)
  select ?::smallint, priority, now(), id, 0 from fresh),
counted as (
  insert into treadle_tally (enqueued) select 1 from fresh)
select id, (select pg_notify('treadle_due', '')
             where exists (select from treadle_node where gone_at is null and id <> all (?))) is not null
  from fresh

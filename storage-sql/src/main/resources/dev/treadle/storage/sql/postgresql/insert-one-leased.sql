-- insert-one-leased: as insert-leased, for one job and without arrays, as insert-one.
with fresh as (
  insert into treadle_job (id, created_at, type, method, arguments, priority, traits)
  values (?, now(), ?, ?, ?, ?, ?)
  on conflict (id) do nothing
  returning id),
counted as (
  insert into treadle_tally (processing) select 1 from fresh)
insert into treadle_lease (job_id, token, node, claimed_at, attempt)
select id, nextval('treadle_token'), ?, now(), 1 from fresh
returning job_id, token, claimed_at

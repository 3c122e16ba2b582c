-- promote: make scheduled jobs whose time has come ready, those due first first.
with due as materialized (
  select ctid as place from treadle_deferred where due_at <= now() order by due_at limit ? for update skip locked),
moved as (
  delete from treadle_deferred where ctid = any(array(select place from due))
  returning lane, priority, due_at, job_id, attempt),
counted as (
  insert into treadle_tally (scheduled, enqueued) select -count(*), count(*) from moved having count(*) > 0)
insert into treadle_ready (lane, priority, run_at, job_id, attempt)
select lane, priority, due_at, job_id, attempt from moved

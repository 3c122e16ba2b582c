-- promote: make scheduled jobs whose time has come ready, those due first first, leaving out what was promoted before;
-- answers how many, and when the first of them came due.
with due as materialized (
  select ctid as place from ${from:PROMOTE}
   where due_at >= :due_from and due_at <= now() order by due_at limit :max for update skip locked),
moved as (
  delete from ${from:PROMOTE} where ctid = any(array(select place from due))
  returning lane, priority, due_at, job_id, attempt),
counted as (
  insert into treadle_tally (${moves:PROMOTE}) select -count(*), count(*) from moved having count(*) > 0),
ready as (
  insert into ${to:PROMOTE} (lane, priority, run_at, job_id, attempt)
  select lane, priority, due_at, job_id, ${attempt:PROMOTE} from moved
  returning run_at)
select count(*), min(run_at), now() from ready

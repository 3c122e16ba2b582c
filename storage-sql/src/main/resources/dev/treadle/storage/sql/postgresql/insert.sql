-- insert: keep new jobs of one lane that are due now; answers the ids that were not there yet.
with fresh as (
  ${part:keep-bodies}
  returning id, priority),
ready as (
  insert into ${to:INSERT} (lane, priority, run_at, job_id, attempt)
  select :lane::smallint, priority, now(), id, ${attempt:INSERT} from fresh),
counted as (
  insert into treadle_tally (${moves:INSERT}) select count(*) from fresh having count(*) > 0)
select id from fresh

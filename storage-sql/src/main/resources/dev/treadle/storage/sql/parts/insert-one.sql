-- insert-one: what insert-one does to the tables; see there.
with fresh as (
  ${part:keep-body}
  returning id, priority),
ready as (
  insert into ${to:INSERT} (lane, priority, run_at, job_id, attempt)
  select :lane::smallint, priority, now(), id, ${attempt:INSERT} from fresh),
counted as (
  insert into treadle_tally (${moves:INSERT}) select 1 from fresh)

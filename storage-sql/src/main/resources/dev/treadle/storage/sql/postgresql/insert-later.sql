-- insert-later: keep new jobs of one lane that are due at an instant or after a delay in microseconds; one of the two is null.
with fresh as (
  ${part:keep-bodies}
  returning id, priority),
timed as (
  select fresh.id, fresh.priority, coalesce(at.due_at, now() + at.delay * interval '1 microsecond') as due_at
    from fresh join unnest(:ids::uuid[], :due_ats::timestamptz[], :delays::bigint[])
      as at (id, due_at, delay) on at.id = fresh.id),
ready as (
  insert into ${to:INSERT} (lane, priority, run_at, job_id, attempt)
  select :lane::smallint, priority, due_at, id, ${attempt:INSERT} from timed where due_at <= now()),
deferred as (
  insert into ${to:SCHEDULE} (job_id, due_at, since, lane, priority, attempt)
  select id, due_at, now(), :lane::smallint, priority, ${attempt:SCHEDULE} from timed where due_at > now()),
counted as (
  insert into treadle_tally (${moves:INSERT}, ${moves:SCHEDULE})
  select count(*) filter (where due_at <= now()), count(*) filter (where due_at > now()) from timed having count(*) > 0)
select id from fresh

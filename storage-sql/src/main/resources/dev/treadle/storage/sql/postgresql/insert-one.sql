-- insert-one: as insert, for one job, as most enqueues are: without arrays it takes a sixth less time. Nothing in it may depend on a
-- parameter's value, or PostgreSQL plans it anew each time, which costs more than that.
with fresh as (
  insert into treadle_job (id, created_at, type, method, arguments, priority, traits)
  values (:id, now(), :type, :method, :arguments, :priority, :traits)
  on conflict (id) do nothing
  returning id, priority),
ready as (
  insert into ${to:INSERT} (lane, priority, run_at, job_id, attempt)
  select :lane::smallint, priority, now(), id, ${attempt:INSERT} from fresh),
counted as (
  insert into treadle_tally (${moves:INSERT}) select 1 from fresh)
select id from fresh

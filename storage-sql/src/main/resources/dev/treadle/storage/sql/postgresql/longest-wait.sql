-- longest-wait: how long the due job has waited that came due first, looking at the first of each lane and priority.
with recursive first (lane, priority, run_at) as (
  (select lane, priority, run_at from treadle_ready order by lane, priority, run_at limit 1)
  union all
  select next.lane, next.priority, next.run_at from first cross join lateral (
    select lane, priority, run_at from treadle_ready where (lane, priority) > (first.lane, first.priority)
     order by lane, priority, run_at limit 1) next)
select (extract(epoch from now() - min(run_at)) * 1000000)::bigint from first

-- longest-wait: how long the due job has waited that came due first, looking at the first of each priority.
with recursive first (priority, run_at) as (
  (select priority, run_at from treadle_ready order by priority, run_at limit 1)
  union all
  select next.priority, next.run_at from first cross join lateral (
    select priority, run_at from treadle_ready where priority > first.priority order by priority, run_at limit 1) next)
select (extract(epoch from now() - min(run_at)) * 1000000)::bigint from first

-- queue-states: what waits in each queue, counted so far in each lane and no further, and its pause if it has one. The
-- oldest is looked for priority by priority, since the index is in their order.
with recursive firsts as (
  select l.id as lane, f.priority, f.run_at
    from treadle_lane l
   cross join lateral (
     select r.priority, r.run_at from treadle_ready r
      where r.lane = l.id order by r.priority, r.run_at, r.job_id limit 1) f
  union all
  select firsts.lane, f.priority, f.run_at
    from firsts
   cross join lateral (
     select r.priority, r.run_at from treadle_ready r
      where r.lane = firsts.lane and r.priority > firsts.priority
      order by r.priority, r.run_at, r.job_id limit 1) f),
oldest as (
  select lane, min(run_at) as run_at from firsts group by lane),
waiting as (
  select l.queue as name, sum(counted.jobs) as jobs, min(oldest.run_at) as oldest
    from treadle_lane l
   cross join lateral (
     select count(*) as jobs from (select 1 from treadle_ready r where r.lane = l.id limit :counted_max) so_many) counted
    left join oldest on oldest.lane = l.id
   group by l.queue)
select n.name, coalesce(w.jobs, 0), w.oldest, now(), q.moved_at, q.moved_by, q.why, q.resume_at
  from (select name from waiting union select name from treadle_queue) n
  left join waiting w on w.name = n.name
  left join treadle_queue q on q.name = n.name and q.paused and (q.resume_at is null or q.resume_at > now())
 order by n.name

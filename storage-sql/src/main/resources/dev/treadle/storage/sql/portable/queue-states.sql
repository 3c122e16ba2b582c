-- queue-states: what waits in each queue, and its pause if it has one.
with waiting as (
  select l.queue as name, sum(counted.jobs) as jobs, min(counted.oldest) as oldest
    from treadle_lane l
    left join (
      select lane, least(count(*), cast(:counted_max as bigint)) as jobs, min(run_at) as oldest
        from treadle_ready group by lane) counted on counted.lane = l.id
   group by l.queue)
select n.name, coalesce(w.jobs, 0), w.oldest, current_timestamp, q.moved_at, q.moved_by, q.why, q.resume_at
  from (select name from waiting union select name from treadle_queue) n
  left join waiting w on w.name = n.name
  left join treadle_queue q
    on q.name = n.name and q.paused and (q.resume_at is null or q.resume_at > current_timestamp)
 order by n.name

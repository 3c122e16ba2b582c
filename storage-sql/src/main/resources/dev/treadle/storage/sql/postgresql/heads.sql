-- heads: the first ready job of each lane whose queue is not paused, for the given ways through some of the lanes,
-- and the present time.
select l.id, l.queue, l.tags, head.priority, head.run_at, now()
  from treadle_lane l
  left join lateral (${part:first-ready}) head on true
 where not exists (
   select 1 from treadle_queue q
    where q.name = l.queue and q.paused and (q.resume_at is null or q.resume_at > now()))
 order by l.id

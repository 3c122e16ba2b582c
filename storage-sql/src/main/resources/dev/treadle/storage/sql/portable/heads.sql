-- heads: the first ready job of each lane whose queue is not paused.
select * from (
  select l.id, l.queue, l.tags,
    (select r.priority from treadle_ready r
      where r.lane = l.id order by r.lane, r.priority, r.run_at, r.job_id limit 1) as priority,
    (select r.run_at from treadle_ready r
      where r.lane = l.id order by r.lane, r.priority, r.run_at, r.job_id limit 1) as run_at
    from treadle_lane l
   where not exists (
     select 1 from treadle_queue q
      where q.name = l.queue and q.paused and (q.resume_at is null or q.resume_at > current_timestamp)))
 heads where priority is not null and run_at is not null
 order by id

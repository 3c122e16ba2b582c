-- heads: the first ready job of each lane whose queue is not paused, from a position in the lane on where one is given.
select l.id, l.queue, l.tags, head.priority, head.run_at
  from treadle_lane l
  left join unnest(?::smallint[], ?::smallint[], ?::timestamptz[], ?::uuid[]) as b (lane, priority, run_at, job_id)
    on b.lane = l.id
 cross join lateral (
   select r.priority, r.run_at from treadle_ready r
    where r.lane = l.id
      and (r.priority, r.run_at, r.job_id) >= (coalesce(b.priority, '-32768'::smallint),
        coalesce(b.run_at, '-infinity'::timestamptz), coalesce(b.job_id, '00000000-0000-0000-0000-000000000000'::uuid))
    order by r.priority, r.run_at, r.job_id limit 1) head
 where not exists (
   select 1 from treadle_queue q
    where q.name = l.queue and q.paused and (q.resume_at is null or q.resume_at > now()))
 order by l.id

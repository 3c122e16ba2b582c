-- lanes: every lane, and whether its queue is paused now.
select l.id, l.queue, l.tags, q.name is not null as paused
  from treadle_lane l
  left join treadle_queue q
    on q.name = l.queue and q.paused and (q.resume_at is null or q.resume_at > current_timestamp)
 order by l.id

-- outlook: what there is to do for one node, in one question: what waits for its time next (as next-due), the first slot
-- of a recurring job, whether one waits for the end of a job, whether a run of the node should end, whether something has
-- happened at a gate or a deadline has passed; each lane, whether its queue is paused, and its first ready job (as heads).
select (select min(due_at) from treadle_deferred) as plain,
       (select min(due_at) from treadle_keyed) as keyed,
       (select min(wake_at) from treadle_key) as woken,
       current_timestamp,
       (select min(next_at) from treadle_recurring where awaited is null and status = 'ACTIVE') as slot,
       exists (select 1 from treadle_recurring where awaited is not null and status = 'ACTIVE') as awaits,
       exists (select 1 from treadle_stop where node = :node) as stops,
       (exists (select 1 from treadle_gate_count)
         or exists (select 1 from treadle_gate where awaited = 'EVENT' and until <= current_timestamp)
         or exists (select 1 from treadle_deadline where at <= current_timestamp)) as gates,
       l.id, l.queue, l.tags, q.name is not null as paused,
       case when q.name is null then (select r.priority from treadle_ready r
         where r.lane = l.id order by r.lane, r.priority, r.run_at, r.job_id limit 1) end as priority,
       case when q.name is null then (select r.run_at from treadle_ready r
         where r.lane = l.id order by r.lane, r.priority, r.run_at, r.job_id limit 1) end as run_at
  from treadle_lane l
  left join treadle_queue q
    on q.name = l.queue and q.paused and (q.resume_at is null or q.resume_at > current_timestamp)
 order by l.id

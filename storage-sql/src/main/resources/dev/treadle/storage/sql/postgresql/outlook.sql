-- outlook: what there is to do for one node, in one question: what waits for its time next (as next-due), the first slot
-- of a recurring job, whether one waits for the end of a job, whether a run of the node should end, whether something has
-- happened at a gate or a deadline has passed; each lane, whether its queue is paused, and its first ready job on the ways given (as heads).
select due.plain, due.keyed, due.woken, now(), due.slot, due.awaits, due.stops, due.gates,
       l.id, l.queue, l.tags, q.name is not null as paused, head.priority, head.run_at
  from (select (select min(due_at) from treadle_deferred where due_at >= :due_from) as plain,
               (select min(due_at) from treadle_keyed where due_at >= :due_from) as keyed,
               (select min(wake_at) from treadle_key where wake_at >= :due_from) as woken,
               (select min(next_at) from treadle_recurring where awaited is null and status = 'ACTIVE') as slot,
               exists (select 1 from treadle_recurring where awaited is not null and status = 'ACTIVE') as awaits,
               exists (select 1 from treadle_stop where node = :node) as stops,
               (exists (select 1 from treadle_gate_count)
                 or exists (select 1 from treadle_gate where awaited = 'EVENT' and until <= now())
                 or exists (select 1 from treadle_deadline where at <= now())) as gates) due
 cross join treadle_lane l
  left join treadle_queue q on q.name = l.queue and q.paused and (q.resume_at is null or q.resume_at > now())
  left join lateral (${part:first-ready}) head on q.name is null
 order by l.id

-- outlook: what there is to do for one node, in one question: what waits for its time next (as next-due), the first slot
-- of a recurring job, whether one waits for the end of a job, whether a run of the node should end; each lane, whether its
-- queue is paused, and its first ready job on the ways given (as heads).
select due.plain, due.keyed, due.woken, now(), due.slot, due.awaits, due.stops,
       l.id, l.queue, l.tags, q.name is not null as paused, head.priority, head.run_at
  from (select (select min(due_at) from treadle_deferred where due_at >= :due_from) as plain,
               (select min(due_at) from treadle_keyed where due_at >= :due_from) as keyed,
               (select min(wake_at) from treadle_key where wake_at >= :due_from) as woken,
               (select min(next_at) from treadle_recurring where awaited is null and status = 'ACTIVE') as slot,
               exists (select 1 from treadle_recurring where awaited is not null and status = 'ACTIVE') as awaits,
               exists (select 1 from treadle_stop where node = :node) as stops) due
 cross join treadle_lane l
  left join treadle_queue q on q.name = l.queue and q.paused and (q.resume_at is null or q.resume_at > now())
  left join lateral (
    select r.priority, r.run_at
      from (select priority, run_at, job_id, last_priority, place
              from unnest(:lanes::smallint[], :places::smallint[], :priorities::smallint[], :run_ats::timestamptz[],
                          :job_ids::uuid[], :last_priorities::smallint[])
                as given (lane, place, priority, run_at, job_id, last_priority)
             where given.lane = l.id
             union all
            select '-32768'::smallint, null, '00000000-0000-0000-0000-000000000000'::uuid, '32767'::smallint, 0::smallint
             where l.id <> all(:known_lanes::smallint[])
             order by place) way
     cross join lateral (
       select priority, run_at from treadle_ready
        where lane = l.id
          and (priority, run_at, job_id) >= (way.priority, coalesce(way.run_at, '-infinity'::timestamptz), way.job_id)
          and priority <= way.last_priority
        order by priority, run_at, job_id limit 1) r
     limit 1) head on q.name is null
 order by l.id

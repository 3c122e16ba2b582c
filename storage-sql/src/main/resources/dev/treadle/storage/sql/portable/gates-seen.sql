-- gates-seen: the gates of jobs with what has happened at them, as people see them, those first at which one waits.
select g.id, g.waiter, g.name, g.spawned, g.need,
       g.ended + coalesce((select cast(sum(c.ended) as bigint) from treadle_gate_count c where c.gate = g.id), 0) as ended,
       g.failed + coalesce((select cast(sum(c.failed) as bigint) from treadle_gate_count c where c.gate = g.id), 0) as failed,
       g.awaited, g.until, g.event_type,
       exists (select 1 from treadle_event e where e.job_id = g.waiter and e.name = g.name) as here
  from treadle_gate g
 where g.waiter = any(:waiters)
 order by g.waiter, case when g.awaited is null then 1 else 0 end, g.name
 limit :max offset :from

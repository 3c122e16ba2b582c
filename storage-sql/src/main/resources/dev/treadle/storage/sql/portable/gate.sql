-- gate: what a gate knows, with what has happened at it since it was last looked at.
select g.id, g.waiter, g.name, g.spawned, g.need,
       g.ended + coalesce((select cast(sum(c.ended) as bigint) from treadle_gate_count c where c.gate = g.id), 0) as ended,
       g.failed + coalesce((select cast(sum(c.failed) as bigint) from treadle_gate_count c where c.gate = g.id), 0) as failed
  from treadle_gate g
 where g.id = :id

-- cancel-at-gates: jobs have failed or were cancelled, so what they spawned is cancelled, where some of it has not ended.
update treadle_gate set cancelled_to = 0
 where waiter = any(:waiters)
   and (need is null
        or ended + coalesce((select sum(c.ended) from treadle_gate_count c where c.gate = treadle_gate.id), 0) < need)

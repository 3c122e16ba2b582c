-- look-at-awaited: a job is suspended, so what it waits for is to be looked at: it may be there by now.
insert into treadle_gate_count (gate, ended, failed)
select id, 0, 0 from treadle_gate where waiter = :waiter and awaited is not null

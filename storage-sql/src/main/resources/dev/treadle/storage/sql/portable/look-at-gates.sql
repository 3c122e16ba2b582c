-- look-at-gates: the gates of jobs are to be looked at, because there are children to cancel.
insert into treadle_gate_count (gate, ended, failed)
select id, 0, 0 from treadle_gate where waiter = any(:waiters) and cancelled_to = 0

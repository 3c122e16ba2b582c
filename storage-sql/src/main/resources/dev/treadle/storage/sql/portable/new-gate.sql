-- new-gate: a gate of a job, whose lease is held.
insert into treadle_gate (id, waiter, name, spawned, ended, failed) values (:id, :waiter, :name, 0, 0, 0)

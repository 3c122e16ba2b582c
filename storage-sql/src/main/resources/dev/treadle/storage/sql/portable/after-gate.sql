-- after-gate: a new job runs after so many others, and waits for that from the beginning.
insert into treadle_gate (id, waiter, name, spawned, need, ended, failed, awaited) values (:id, :waiter, :name, 0, :need, 0, 0, :rule)

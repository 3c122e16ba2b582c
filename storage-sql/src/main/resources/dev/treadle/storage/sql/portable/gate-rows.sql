-- gate-rows: what gates knew when they were last looked at, and what is done about them.
select id, waiter, name, spawned, need, ended, failed, awaited, cancelled_to, until from treadle_gate where id = any(:ids) order by id

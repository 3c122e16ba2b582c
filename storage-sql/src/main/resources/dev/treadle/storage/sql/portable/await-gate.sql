-- await-gate: what a job waits for if it is suspended now, and nothing else.
update treadle_gate set awaited = case when id = :id then cast(:rule as varchar) end where waiter = :waiter and (awaited is not null or id = :id)

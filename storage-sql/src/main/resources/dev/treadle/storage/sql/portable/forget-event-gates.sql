-- forget-event-gates: a job begins anew, so it has waited for no event.
delete from treadle_gate where waiter = :job_id and until is not null

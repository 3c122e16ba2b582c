-- event-gate: a job whose lease is held waits for an event until then, counted from its first call.
update treadle_gate set until = :until where id = :id and until is null

-- event-gate: a job whose lease is held waits for an event of a type until then, counted from its first call.
update treadle_gate set until = coalesce(until, :until), event_type = :event_type
 where id = :id and (until is null or event_type <> :event_type)

-- event-over: an event has not come in time, and stays so; need says that nothing more is waited for.
update treadle_gate set need = 0, awaited = null where id = :id

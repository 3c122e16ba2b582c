-- gate-cancelled: the children of a gate are cancelled up to one of them, unless its job spawns there again.
update treadle_gate set cancelled_to = :cancelled_to where id = :id and cancelled_to is not null

-- gate-cancelled: the children of a gate are cancelled up to one of them.
update treadle_gate set cancelled_to = :cancelled_to where id = :id

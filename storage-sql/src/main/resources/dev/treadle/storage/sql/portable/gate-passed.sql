-- gate-passed: the job that waited at a gate goes on, or has ended.
update treadle_gate set awaited = null, cancelled_to = coalesce(:cancelled_to, cancelled_to) where id = :id

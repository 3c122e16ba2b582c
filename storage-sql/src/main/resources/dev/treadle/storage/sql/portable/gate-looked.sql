-- gate-looked: a gate was looked at.
update treadle_gate set ended = :ended, failed = :failed, awaited = :awaited, cancelled_to = :cancelled_to where id = :id

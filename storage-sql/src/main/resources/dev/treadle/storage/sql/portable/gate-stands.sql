-- gate-stands: how many have ended of those that a job runs after.
update treadle_gate set ended = :ended, failed = :failed where id = :id

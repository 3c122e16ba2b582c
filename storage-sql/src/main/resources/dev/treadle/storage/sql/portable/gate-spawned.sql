-- gate-spawned: so many children were spawned, and need says how many there are once that is known. If the job was cancelled before
-- and is run again, its children are waited for now.
update treadle_gate set spawned = :spawned, need = :need, cancelled_to = null where id = :id

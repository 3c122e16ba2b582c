-- gate-spawned: so many children were spawned, and need says how many there are once that is known.
update treadle_gate set spawned = :spawned, need = :need where id = :id

-- gate-looked: more has ended at a gate. What else stands there others may be writing at this moment.
update treadle_gate set ended = ended + :ended, failed = failed + :failed where id = :id

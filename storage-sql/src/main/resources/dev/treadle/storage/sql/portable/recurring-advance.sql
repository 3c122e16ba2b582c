-- recurring-advance: move one recurring job on, if it has the version that was seen.
update treadle_recurring
   set version = version + 1, next_at = ?, last_slot = ?, last_job = ?, awaited = ?
 where id = ? and version = ?

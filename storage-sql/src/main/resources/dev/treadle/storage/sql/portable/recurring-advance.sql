-- recurring-advance: move one recurring job on, if it has the version that was seen.
update treadle_recurring
   set version = version + 1, next_at = :next_at, last_slot = :last_slot, last_job = :last_job, awaited = :awaited
 where id = :id and version = :version

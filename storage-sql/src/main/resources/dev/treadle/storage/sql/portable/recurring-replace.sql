-- recurring-replace: write a recurring job, if it has the version that was seen.
update treadle_recurring
   set version = ?, type = ?, method = ?, arguments = ?, priority = ?, traits = ?, schedule = ?, declared = ?,
       missed = ?, missed_after = ?, overlap = ?, jitter = ?, next_at = ?, last_slot = ?, last_job = ?, awaited = ?,
       status = ?, changed_by = ?, changed_why = ?, changed_at = ?
 where id = ? and version = ?

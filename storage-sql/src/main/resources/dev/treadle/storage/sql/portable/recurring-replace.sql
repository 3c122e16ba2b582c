-- recurring-replace: write a recurring job, if it has the version that was seen.
update treadle_recurring
   set version = :version, type = :type, method = :method, arguments = :arguments,
       priority = :priority, traits = :traits, schedule = :schedule, declared = :declared,
       missed = :missed, missed_after = :missed_after, overlap = :overlap, jitter = :jitter,
       next_at = :next_at, last_slot = :last_slot, last_job = :last_job, awaited = :awaited,
       status = :status, changed_by = :changed_by, changed_why = :changed_why, changed_at = :changed_at
 where id = :id and version = :seen_version

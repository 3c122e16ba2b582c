-- resume: let a paused queue go on.
update treadle_queue set paused = false, resume_at = null, moved_at = current_timestamp, moved_by = :by, why = :why
 where name = :queue and paused and (resume_at is null or resume_at > current_timestamp)

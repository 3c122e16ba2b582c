-- ready-again: make one job ready with all its attempts before it.
insert into treadle_ready (lane, priority, run_at, job_id, attempt) values (?, ?, current_timestamp, ?, 0)

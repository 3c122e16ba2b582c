-- ready-now: make one job ready that waited for its time, with the attempts it has had.
insert into treadle_ready (lane, priority, run_at, job_id, attempt) values (?, ?, current_timestamp, ?, ?)

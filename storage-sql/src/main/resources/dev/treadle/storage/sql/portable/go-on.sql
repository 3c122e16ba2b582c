-- go-on: one job whose key has room may be claimed.
insert into treadle_ready (lane, priority, run_at, job_id, attempt)
values (:lane, :priority, current_timestamp, :job_id, :attempt)

-- enqueue: one job may run now; it came due at the given instant, or now.
insert into treadle_ready (lane, priority, run_at, job_id, attempt)
values (:lane, :priority, coalesce(:run_at, current_timestamp), :job_id, :attempt)

-- copy-ready: places of new jobs that are due now.
copy treadle_ready (lane, priority, job_id) from stdin (format binary)

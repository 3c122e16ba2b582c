-- take: take one due job, if nobody else has.
delete from treadle_ready where lane = :lane and priority = :priority and run_at = :run_at and job_id = :job_id

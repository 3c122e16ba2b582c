-- take: take one due job, if nobody else has.
delete from treadle_ready where lane = ? and priority = ? and run_at = ? and job_id = ?

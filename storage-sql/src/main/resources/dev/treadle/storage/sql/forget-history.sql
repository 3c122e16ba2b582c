-- forget-history: remove what was told of one job.
delete from treadle_history where job_id = ?

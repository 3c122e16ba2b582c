-- last-entry: the last history row of a job.
treadle_history h
    on h.job_id = j.id and h.token = (select max(token) from treadle_history where job_id = j.id)

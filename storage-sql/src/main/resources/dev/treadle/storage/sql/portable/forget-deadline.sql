-- forget-deadline: the deadline of a job has passed, or it has another one.
delete from treadle_deadline where job_id = :job_id

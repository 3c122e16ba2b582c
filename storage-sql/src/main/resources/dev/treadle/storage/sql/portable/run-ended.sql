-- run-ended: a run that should end has ended.
delete from treadle_stop where job_id = :job_id and token = :token

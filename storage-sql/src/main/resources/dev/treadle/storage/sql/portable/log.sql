-- log: the lines of a job, newest first.
select token, line, at, said from treadle_log where job_id = :job_id order by token desc, line desc limit :max

-- log-after: the lines of a job behind a place, oldest first.
select token, line, at, said
  from treadle_log where job_id = :job_id and (token, line) > (:token, :line) order by token, line limit :max

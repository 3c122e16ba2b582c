-- recorded: the event told of one lease, so that an ending written twice is known as written.
select event from treadle_history where job_id = :job_id and token = :token

-- move: tell of an operator's move; of a job that had ended, the attempt is the last one told of.
insert into treadle_history (job_id, token, event, next, attempt, moved_by, at, error_type, error_message, error_trace)
values (:job_id, nextval('treadle_token'), :event, :next,
  coalesce(cast(:attempt as integer),
    (select told.attempt from treadle_history told where told.job_id = :job_id order by told.token desc limit 1), 0),
  :by, current_timestamp, :error_type, :error_message, :error_trace)

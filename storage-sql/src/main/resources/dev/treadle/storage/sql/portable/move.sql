-- move: tell of an operator's move; of a job that had ended, the attempt is the last one told of.
insert into treadle_history (job_id, token, event, next, attempt, moved_by, at, error_type, error_message, error_trace)
values (?, nextval('treadle_token'), ?, ?,
  coalesce(cast(? as integer),
    (select told.attempt from treadle_history told where told.job_id = ? order by told.token desc limit 1), 0),
  ?, current_timestamp, ?, ?, ?)

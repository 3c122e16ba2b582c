-- move: tell of an operator's move.
insert into treadle_history (job_id, token, event, next, attempt, moved_by, at, error_type, error_message, error_trace)
values (?, nextval('treadle_token'), ?, ?, ?, ?, current_timestamp, ?, ?, ?)

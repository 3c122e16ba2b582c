-- ask-to-stop: a run lost its lease.
insert into treadle_stop (job_id, token, node, asked_at) values (:job_id, :token, :node, current_timestamp)

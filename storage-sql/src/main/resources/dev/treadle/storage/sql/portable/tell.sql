-- tell: tell of one attempt.
insert into treadle_history (job_id, token, event, next, attempt, node, claimed_at, at, ran_micros,
                             error_type, error_message, error_trace)
values (:job_id, :token, :event, :next, :attempt, :node, :claimed_at, :now, :ran_micros,
        :error_type, :error_message, :error_trace)

-- copy-history: the second part of complete, for many: attempts that ended well just now.
copy treadle_history (job_id, token, event, next, attempt, node, claimed_at, ran_micros) from stdin (format binary)

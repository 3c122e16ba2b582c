-- keep-result: what the run that ended returned.
merge into treadle_result (job_id, token, result, not_kept) key (job_id) values (:job_id, :token, :result, :not_kept)

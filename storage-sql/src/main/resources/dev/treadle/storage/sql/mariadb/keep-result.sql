-- keep-result: what the run that ended returned.
replace into treadle_result (job_id, token, result, not_kept) values (:job_id, :token, :result, :not_kept)

-- keep-result: what the run that ended returned.
insert into treadle_result (job_id, token, result, not_kept) values (:job_id, :token, :result, :not_kept)
on conflict (job_id) do update set token = excluded.token, result = excluded.result, not_kept = excluded.not_kept

-- tell-progress: how far a run is; an older run does not replace what a newer one told.
update treadle_progress set token = :token, at = :at, done = :done, total = :total, meta = :meta
 where job_id = :job_id and (token < :token or token = :token and at <= :at)

-- tell-progress: how far a run is; an older run does not replace what a newer one told.
update treadle_progress set token = ?, at = ?, done = ?, total = ?, meta = ?
 where job_id = ? and (token < ? or token = ? and at <= ?)

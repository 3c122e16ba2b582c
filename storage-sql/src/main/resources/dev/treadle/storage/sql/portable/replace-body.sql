-- replace-body: a job that waits calls something else. Nothing else ever changes a body.
update treadle_job set type = ?, method = ?, arguments = ?, priority = ?, traits = ? where id = ?

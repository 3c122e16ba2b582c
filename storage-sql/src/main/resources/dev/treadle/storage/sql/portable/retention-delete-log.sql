-- retention-delete-log: of jobs that ended long ago.
delete from treadle_log where job_id = any(?)

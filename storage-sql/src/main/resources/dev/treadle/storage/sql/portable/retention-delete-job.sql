-- retention-delete-job: of jobs that ended long ago.
delete from treadle_job where id = any(?)

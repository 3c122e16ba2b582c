-- forget-body: remove one job.
delete from treadle_job where id = ?

-- leave-ready: take one job out of treadle_ready; answers its attempt.
select attempt from old table (delete from treadle_ready where job_id = ?)

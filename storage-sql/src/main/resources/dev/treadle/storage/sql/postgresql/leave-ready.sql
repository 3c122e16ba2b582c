-- leave-ready: take one job out of treadle_ready; answers its attempt.
delete from treadle_ready where job_id = ? returning attempt

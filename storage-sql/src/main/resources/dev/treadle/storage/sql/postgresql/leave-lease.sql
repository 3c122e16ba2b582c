-- leave-lease: take one job out of treadle_lease; answers its attempt.
delete from treadle_lease where job_id = ? returning attempt

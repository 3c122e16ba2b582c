-- leave-deferred: take one job out of treadle_deferred; answers its attempt.
delete from treadle_deferred where job_id = ? returning attempt

-- leave-deferred: take one job out of treadle_deferred; answers its attempt.
select attempt from old table (delete from treadle_deferred where job_id = ?)

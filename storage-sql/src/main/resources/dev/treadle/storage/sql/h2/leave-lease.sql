-- leave-lease: take one job out of treadle_lease; answers its attempt.
select attempt from old table (delete from treadle_lease where job_id = ?)

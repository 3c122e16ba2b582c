-- leave-parked: take one job out of treadle_parked; answers its attempt.
select attempt from old table (delete from treadle_parked where job_id = ?)

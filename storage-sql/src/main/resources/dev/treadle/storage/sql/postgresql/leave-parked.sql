-- leave-parked: take one job out of treadle_parked; answers its attempt.
delete from treadle_parked where job_id = ? returning attempt

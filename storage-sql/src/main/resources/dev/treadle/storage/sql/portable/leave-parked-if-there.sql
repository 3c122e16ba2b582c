-- leave-parked-if-there: take one parked job, if nobody else has.
delete from treadle_parked where job_id = ?

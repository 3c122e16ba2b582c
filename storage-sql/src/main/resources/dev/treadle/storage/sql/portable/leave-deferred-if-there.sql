-- leave-deferred-if-there: take one scheduled job, if nobody else has.
delete from treadle_deferred where job_id = ?

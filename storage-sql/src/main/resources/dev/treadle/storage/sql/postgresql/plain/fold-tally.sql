-- fold-tally: make one row of many, so that counting stays quick. The rows have no key, so ctid names them.
with old as (
  delete from treadle_tally where ctid = any(array(select ctid from treadle_tally limit :max for update skip locked))
  returning *)
insert into treadle_tally (scheduled, enqueued, processing, succeeded, failed, cancelled, parked, waiting)
select sum(scheduled), sum(enqueued), sum(processing), sum(succeeded), sum(failed), sum(cancelled), sum(parked), sum(waiting)
  from old having count(*) > 0

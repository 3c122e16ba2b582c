-- fold-tally: make one row of many, so that counting stays quick.
insert into treadle_tally (scheduled, enqueued, processing, succeeded, failed, cancelled, parked, waiting)
select sum(scheduled), sum(enqueued), sum(processing), sum(succeeded), sum(failed), sum(cancelled), sum(parked), sum(waiting)
  from old table (delete from treadle_tally fetch first :max rows only) having count(*) > 0

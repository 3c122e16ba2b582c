-- fold-tally: make one row of many, so that counting stays quick.
insert into treadle_tally (scheduled, enqueued, processing, succeeded, failed, cancelled, parked)
select sum(scheduled), sum(enqueued), sum(processing), sum(succeeded), sum(failed), sum(cancelled), sum(parked)
  from old table (delete from treadle_tally fetch first :max rows only) having count(*) > 0

-- fold-tally: make one row of many, so that counting stays quick, leaving out the pages that were folded before; answers
-- how many there were, and where the new row stands.
with old as (
  delete from treadle_tally where ctid = any(array(
    select ctid from treadle_tally where ctid >= :from_place::tid limit :max for update skip locked))
  returning *),
made as (
  insert into treadle_tally (scheduled, enqueued, processing, succeeded, failed, cancelled, parked, waiting)
  select sum(scheduled), sum(enqueued), sum(processing), sum(succeeded), sum(failed), sum(cancelled), sum(parked), sum(waiting)
    from old having count(*) > 0
  returning ctid)
select (select count(*) from old), (select ctid from made)

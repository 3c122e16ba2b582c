-- fold-tally: what is made into one row, so that counting stays quick; rows of transactions under way are passed by.
select id, scheduled, enqueued, processing, succeeded, failed, cancelled, parked, waiting
  from treadle_tally order by id limit :max for update skip locked

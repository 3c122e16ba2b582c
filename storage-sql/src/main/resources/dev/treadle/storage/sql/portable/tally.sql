-- tally: how many jobs came into each state, less those that left it.
insert into treadle_tally (scheduled, enqueued, processing, succeeded, failed, cancelled, parked, waiting)
values (:scheduled, :enqueued, :processing, :succeeded, :failed, :cancelled, :parked, :waiting)

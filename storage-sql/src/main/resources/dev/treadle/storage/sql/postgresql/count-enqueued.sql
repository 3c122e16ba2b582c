-- count-enqueued: jobs that were copied in are counted like all others.
insert into treadle_tally (${moves:INSERT}) values (:jobs)

-- counts: how many jobs are in each state.
select coalesce(sum(scheduled), 0), coalesce(sum(enqueued), 0), coalesce(sum(processing), 0),
       coalesce(sum(succeeded), 0), coalesce(sum(failed), 0), coalesce(sum(cancelled), 0), coalesce(sum(parked), 0),
       coalesce(sum(waiting), 0)
  from treadle_tally

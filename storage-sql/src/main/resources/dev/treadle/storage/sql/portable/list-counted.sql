-- list-counted: those of some jobs that fit, with what list-labelled looks for; for the jobs that a gate counts.
select id from treadle_job scanned
 where id = any(:ids) and ${part:fits}
   and ${part:stands}

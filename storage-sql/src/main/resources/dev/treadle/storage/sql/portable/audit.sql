-- audit: what was done, latest first.
select number, at, done_by, action, target, why, jobs from treadle_audit where number < :before order by number desc limit :max

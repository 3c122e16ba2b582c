-- join-line: one job that was parked, or whose time has come, goes to the end of its line.
update treadle_keyed set place = nextval('treadle_place'), due_at = null, since = current_timestamp, line_rank = :line_rank
 where job_id = :job_id and place is null and case when :parked then due_at is null else due_at <= current_timestamp end

-- stop-requests: runs of one node that lost their lease and have not been seen to end.
select job_id, token, node, asked_at, current_timestamp from treadle_stop where node = :node order by asked_at limit :max

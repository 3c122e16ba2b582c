-- longest-wait: how long the due job has waited that came due first.
select datediff(microsecond, min(run_at), current_timestamp) from treadle_ready

-- longest-wait: how long the due job has waited that came due first.
select timestampdiff(microsecond, min(run_at), current_timestamp) from treadle_ready

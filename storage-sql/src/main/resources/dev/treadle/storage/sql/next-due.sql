-- next-due: when the next scheduled job is due, and what time it is now.
select min(due_at), current_timestamp from treadle_deferred

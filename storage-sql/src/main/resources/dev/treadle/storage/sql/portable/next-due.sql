-- next-due: when the next job that waits for its time is due, without and with a key; when the next rate has room; and
-- what time it is now.
select (select min(due_at) from treadle_deferred),
       (select min(due_at) from treadle_keyed),
       (select min(wake_at) from treadle_key),
       current_timestamp

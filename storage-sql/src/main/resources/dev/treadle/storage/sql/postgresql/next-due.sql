-- next-due: when the next job that waits for its time is due, without and with a key, leaving out what was promoted
-- before; when the next rate has room; and what time it is now.
select (select min(due_at) from treadle_deferred where due_at >= :due_from),
       (select min(due_at) from treadle_keyed where due_at >= :due_from),
       (select min(wake_at) from treadle_key where wake_at >= :due_from),
       current_timestamp

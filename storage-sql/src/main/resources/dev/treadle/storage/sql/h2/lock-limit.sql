-- lock-limit: the longest wait for a lock in this session, in milliseconds.
select lock_timeout()

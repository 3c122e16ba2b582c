-- lock-limit: the longest wait for a lock in this session, in milliseconds.
select @@innodb_lock_wait_timeout * 1000

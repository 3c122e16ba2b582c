-- lock-limit: the longest wait for a lock in this session, in milliseconds; 0 for none.
select setting from pg_settings where name = 'lock_timeout'

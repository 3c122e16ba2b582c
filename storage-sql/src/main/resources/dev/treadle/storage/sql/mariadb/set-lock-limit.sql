-- set-lock-limit: how long this session waits for a lock, in milliseconds; MariaDB counts in whole seconds.
set innodb_lock_wait_timeout = greatest(1, :millis div 1000)

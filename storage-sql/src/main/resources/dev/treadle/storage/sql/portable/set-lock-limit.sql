-- set-lock-limit: how long this session waits for a lock, in milliseconds.
set lock_timeout = :millis

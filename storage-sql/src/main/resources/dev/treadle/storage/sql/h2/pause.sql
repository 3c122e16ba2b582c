-- pause: pause a queue, until an instant or for so many microseconds; both null for until it is resumed.
merge into treadle_queue (name, paused, resume_at, moved_at, moved_by, why) key (name)
values (:queue, true,
  coalesce(cast(:until as timestamp(6) with time zone), dateadd(microsecond, cast(:for_micros as bigint), current_timestamp)),
  current_timestamp, :by, :why)

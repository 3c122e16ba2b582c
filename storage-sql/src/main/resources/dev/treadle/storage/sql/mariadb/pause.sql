-- pause: pause a queue, until an instant or for so many microseconds; both null for until it is resumed.
replace into treadle_queue (name, paused, resume_at, moved_at, moved_by, why)
values (:queue, true, coalesce(:until, current_timestamp + interval :for_micros microsecond), current_timestamp, :by, :why)

-- pause: pause a queue, until an instant or for so many microseconds; both null for until it is resumed.
insert into treadle_queue (name, paused, resume_at, moved_at, moved_by, why)
values (:queue, true, coalesce(:until::timestamptz, now() + :for_micros::bigint * interval '1 microsecond'), now(), :by, :why)
on conflict (name) do update set paused = true, resume_at = excluded.resume_at, moved_at = excluded.moved_at,
  moved_by = excluded.moved_by, why = excluded.why

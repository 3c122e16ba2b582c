-- wait-keyed: one job waits without a slot: at the end of its line, until an instant, or parked.
insert into treadle_keyed (job_id, line, line_rank, place, lane, priority, attempt, since, due_at)
values (?, ?, ?, case when ? then nextval('treadle_place') end, ?, ?, ?, current_timestamp, ?)

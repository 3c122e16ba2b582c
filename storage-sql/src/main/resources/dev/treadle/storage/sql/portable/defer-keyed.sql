-- defer-keyed: one job awaits its retry without a slot.
insert into treadle_keyed (job_id, line, line_rank, lane, priority, attempt, since, due_at)
select job_id, :line, :line_rank, lane, priority, attempt, since, due_at from treadle_deferred where job_id = :job_id

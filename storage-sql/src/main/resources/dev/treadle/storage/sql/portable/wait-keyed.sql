-- wait-keyed: one job waits without a slot: at the end of its line, until an instant, or parked.
insert into treadle_keyed (job_id, line, line_rank, place, lane, priority, attempt, since, due_at)
values (:job_id, :line, :line_rank,
        case when :in_line then nextval('treadle_place') end, :lane, :priority, :attempt, current_timestamp, :due_at)

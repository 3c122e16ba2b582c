-- insert: keep the body of one new job.
insert into treadle_job (id, created_at, type, method, arguments, priority, traits)
values (:id, current_timestamp, :type, :method, :arguments, :priority, :traits)

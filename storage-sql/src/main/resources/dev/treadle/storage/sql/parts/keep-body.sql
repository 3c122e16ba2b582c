-- keep-body: keep the body of one new job, unless its id is there.
insert into treadle_job (id, created_at, type, method, arguments, priority, traits)
values (:id, now(), :type, :method, :arguments, :priority, :traits)
on conflict (id) do nothing

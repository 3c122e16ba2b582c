-- lock-body: one operator's move at a time; the engine never touches the body, so it is not held up.
select priority, traits from treadle_job where id = ? for update

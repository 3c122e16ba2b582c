-- names: one chunk of the unique names, in their order.
select name, job_id, while_running, held_until from treadle_unique where name > :after order by name limit :max

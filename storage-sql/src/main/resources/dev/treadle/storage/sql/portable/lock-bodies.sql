-- lock-bodies: as lock-body, for many, in the order in which all lock them.
select id, priority, traits from treadle_job where id = any(:ids) order by id for update

-- existing: which of the ids are there.
select id from treadle_job where id = any(:ids)

-- forget-name: a unique name is free again, if the same job still holds it.
delete from treadle_unique where name = :name and job_id = :job_id

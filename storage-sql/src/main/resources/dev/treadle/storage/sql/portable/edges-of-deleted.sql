-- edges-of-deleted: how a job had ended that is deleted now.
update treadle_edge set outcome = :outcome where job_id = :job_id

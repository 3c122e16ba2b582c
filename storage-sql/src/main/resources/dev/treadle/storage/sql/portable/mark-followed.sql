-- mark-followed: others run after a job, whose body is locked; who claims it from now on knows.
update treadle_job set traits = :traits where id = :id

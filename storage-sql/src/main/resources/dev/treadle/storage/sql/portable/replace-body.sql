-- replace-body: a job that waits calls something else. Nothing else ever changes a body.
update treadle_job
   set type = :type, method = :method, arguments = :arguments, priority = :priority, traits = :traits
 where id = :id

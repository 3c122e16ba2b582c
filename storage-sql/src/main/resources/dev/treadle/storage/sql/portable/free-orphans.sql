-- free-orphans: lock one lease, if its node has not been heard again and nobody else is writing it.
select job_id, token from treadle_lease
 where job_id = :job_id and token = :token and node not in (select id from treadle_node where gone_at is null)
   for update skip locked

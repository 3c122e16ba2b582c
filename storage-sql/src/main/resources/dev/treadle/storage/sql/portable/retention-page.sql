-- retention-page: the next jobs by their ids, and the last row of each one's history.
select j.id, j.type, h.token, h.next, h.at
  from (select id, type from treadle_job where id > :from_id and id < :to_id order by id limit :max) j
  left join treadle_history h
    on h.job_id = j.id and h.token = (select max(token) from treadle_history n where n.job_id = j.id)
 order by j.id

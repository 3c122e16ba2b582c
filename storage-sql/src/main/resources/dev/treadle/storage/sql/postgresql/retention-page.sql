-- retention-page: the next jobs by their ids, and the last row of each one's history.
select j.id, j.type, h.token, h.next, h.at
  from (select id, type from treadle_job where id > :from_id and id < :to_id order by id limit :max) j
  left join lateral (
    select token, next, at from treadle_history h where h.job_id = j.id order by token desc limit 1) h on true
 order by j.id

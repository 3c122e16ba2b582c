-- states: where jobs stand. What is in no other table and has not ended is ready, so the long table of ready jobs is
-- never looked at.
select j.id,
       case when l.job_id is not null then ${PROCESSING}
            when d.job_id is not null then ${SCHEDULED}
            when p.job_id is not null then ${PARKED}
            when w.job_id is not null then ${WAITING}
            when k.due_at is not null then ${SCHEDULED}
            when h.next in (${SUCCEEDED}, ${FAILED}, ${CANCELLED}) then h.next
            else ${ENQUEUED} end as state
  from treadle_job j
  left join treadle_lease l on l.job_id = j.id
  left join treadle_deferred d on d.job_id = j.id
  left join treadle_parked p on p.job_id = j.id
  left join treadle_waiting w on w.job_id = j.id
  left join treadle_keyed k on k.job_id = j.id
  left join treadle_history h
    on h.job_id = j.id and h.token = (select max(token) from treadle_history where job_id = j.id)
 where j.id = any(:ids)

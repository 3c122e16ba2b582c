-- states: where jobs stand.
select j.id,
       case when l.job_id is not null then ${PROCESSING}
            when d.job_id is not null then ${SCHEDULED}
            when p.job_id is not null then ${PARKED}
            when w.job_id is not null then ${WAITING}
            when k.due_at is not null then ${SCHEDULED}
            when h.next in (${SUCCEEDED}, ${FAILED}, ${CANCELLED}) then h.next
            else ${ENQUEUED} end as state
  from ${part:places}
  left join ${part:last-entry}
 where j.id = any(:ids)

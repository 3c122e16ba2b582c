-- stands: whether a scanned job has an error that is looked for, and is in a state; where it stands is looked up as in states.
(:error = '%' or coalesce((
         select lower(concat(coalesce(h.error_type, ''), ' ', coalesce(h.error_message, ''))) from treadle_history h
          where h.job_id = scanned.id
            and h.token = (select max(token) from treadle_history told where told.job_id = scanned.id)), '') like :error)
  and (:state = -1 or :state =
    case when exists (select 1 from treadle_lease l where l.job_id = scanned.id) then ${PROCESSING}
         when exists (select 1 from treadle_deferred d where d.job_id = scanned.id) then ${SCHEDULED}
         when exists (select 1 from treadle_parked p where p.job_id = scanned.id) then ${PARKED}
         when exists (select 1 from treadle_waiting w where w.job_id = scanned.id) then ${WAITING}
         when exists (select 1 from treadle_keyed k where k.job_id = scanned.id and k.due_at is not null) then ${SCHEDULED}
         else coalesce((
           select case when h.next in (${SUCCEEDED}, ${FAILED}, ${CANCELLED}) then h.next end from treadle_history h
            where h.job_id = scanned.id
              and h.token = (select max(token) from treadle_history told where told.job_id = scanned.id)), ${ENQUEUED})
    end)

-- endings: how jobs ended, and what the run that did so returned.
select h.job_id, h.next, r.token, r.result, r.not_kept, h.error_type, h.error_message, h.error_trace
  from treadle_history h
  left join treadle_result r on r.job_id = h.job_id and r.token = h.token
 where h.job_id = any(:ids)
   and h.token = (select max(token) from treadle_history newest where newest.job_id = h.job_id)
   and h.next in (${SUCCEEDED}, ${FAILED}, ${CANCELLED})

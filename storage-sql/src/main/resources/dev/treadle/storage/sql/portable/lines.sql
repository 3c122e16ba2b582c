-- lines: what lists show of jobs; as story, with the last history row alone.
select j.id, j.type, j.method, left(j.arguments, 300) as arguments, j.priority, j.traits, j.created_at,
       l.node as lease_node, l.claimed_at as lease_since, l.attempt as lease_attempt,
       d.due_at, d.since as deferred_since, d.attempt as deferred_attempt,
       p.since as parked_since, p.attempt as parked_attempt,
       w.since as waiting_since, w.attempt as waiting_attempt,
       k.since as keyed_since, k.due_at as keyed_due_at, k.place as keyed_place, k.attempt as keyed_attempt,
       h.token, h.event, h.next, h.attempt, h.node, h.moved_by, h.claimed_at, h.at, h.ran_micros,
       h.error_type, h.error_message, '' as error_trace
  from treadle_job j
  left join treadle_lease l on l.job_id = j.id
  left join treadle_deferred d on d.job_id = j.id
  left join treadle_parked p on p.job_id = j.id
  left join treadle_waiting w on w.job_id = j.id
  left join treadle_keyed k on k.job_id = j.id
  left join treadle_history h
    on h.job_id = j.id and h.token = (select max(token) from treadle_history where job_id = j.id)
 where j.id = any(:ids)

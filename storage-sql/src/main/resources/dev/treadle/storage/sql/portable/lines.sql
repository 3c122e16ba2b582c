-- lines: what lists show of jobs; as story, with the last history row alone.
select j.id, j.type, j.method, left(j.arguments, 300) as arguments, j.priority, j.traits, j.created_at,
       ${part:place-columns},
       h.token, h.event, h.next, h.attempt, h.node, h.moved_by, h.claimed_at, h.at, h.ran_micros,
       h.error_type, h.error_message, '' as error_trace
  from ${part:places}
  left join ${part:last-entry}
 where j.id = any(:ids)

-- recurring-due: active recurring jobs whose slot has come (or nearly, where runs may overlap: RecurringStorage.AHEAD) or
-- whose awaited job has ended, what became of their last job, what time it is, and the first slot of the others. One row without a recurring job if none is due.
select r.id, r.version, r.type, r.method, r.arguments, r.priority, r.traits, r.schedule, r.declared, r.missed,
       r.missed_after, r.overlap, r.jitter, r.next_at, r.last_slot, r.last_job, r.awaited, r.status, r.changed_by,
       r.changed_why, r.changed_at, moment.passes, moment.following,
       case when r.awaited is null and r.overlap = 'ALLOW' then false
            else not exists (select 1 from treadle_job j where j.id = r.last_job) end as gone,
       case when r.awaited is null and r.overlap = 'ALLOW' then null
            else (select case when h.next in (${SUCCEEDED}, ${FAILED}, ${CANCELLED}) then h.at end
                    from treadle_history h where h.job_id = r.last_job order by h.token desc limit 1) end as ended_at
  from (select current_timestamp as passes,
               (select min(next_at) from treadle_recurring
                 where next_at > current_timestamp
                   and (overlap <> 'ALLOW' or next_at > current_timestamp + interval '1' second) and awaited is null and status = 'ACTIVE') as following) moment
  left join (
    (select * from treadle_recurring
      where next_at <= current_timestamp + interval '1' second
        and (overlap = 'ALLOW' or next_at <= current_timestamp) and awaited is null and status = 'ACTIVE'
      order by next_at limit :max)
    union all
    (select * from treadle_recurring w
      where awaited is not null and status = 'ACTIVE'
        and (not exists (select 1 from treadle_job j where j.id = w.awaited)
             or (select h.next from treadle_history h where h.job_id = w.awaited order by h.token desc limit 1) in (${SUCCEEDED}, ${FAILED}, ${CANCELLED}))
      limit :max)) r on 1 = 1

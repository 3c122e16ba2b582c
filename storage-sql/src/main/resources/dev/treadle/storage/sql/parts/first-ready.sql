-- first-ready: the first ready job of a lane, on the given ways through it; a lane that no way is given for is looked through.
select r.priority, r.run_at
  from (select priority, run_at, job_id, last_priority, place
          from unnest(:lanes::smallint[], :places::smallint[], :priorities::smallint[], :run_ats::timestamptz[],
                      :job_ids::uuid[], :last_priorities::smallint[])
            as given (lane, place, priority, run_at, job_id, last_priority)
         where given.lane = l.id
         union all
        select '-32768'::smallint, null, '00000000-0000-0000-0000-000000000000'::uuid, '32767'::smallint, 0::smallint
         where l.id <> all(:known_lanes::smallint[])
         order by place) way
 cross join lateral (
   select priority, run_at from treadle_ready
    where lane = l.id
      and (priority, run_at, job_id) >= (way.priority, coalesce(way.run_at, '-infinity'::timestamptz), way.job_id)
      and priority <= way.last_priority
    order by priority, run_at, job_id limit 1) r
 limit 1

-- line-heads: the first so many of the lines of locked keys.
select w.line, w.job_id, w.lane, w.priority, w.attempt
  from unnest(:lines::text[], :free::bigint[]) as room (line, free)
 cross join lateral (
   select * from treadle_keyed k
    where k.line = room.line and k.place is not null
    order by k.line_rank, k.place limit room.free) w
 order by w.place

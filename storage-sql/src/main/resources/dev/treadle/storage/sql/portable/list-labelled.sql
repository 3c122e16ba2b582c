-- list-labelled: as list-all, of jobs with a label in any state or one; where each stands is looked up as in states.
select id, 0 as priority, cast(null as timestamp with time zone) as at, fits, looked_at from (
  select id, lead(id) over (order by id desc) is null as last, count(*) over () as looked_at,
         (lower(type || '.' || coalesce(method, '') || ' ' || coalesce(traits, '')) like ? and lower(arguments) like ?
          and coalesce(traits, '') like ? and coalesce(traits, '') not like ?
          and created_at >= ? and created_at < ?
          and (? = '%' or coalesce((
                 select lower(coalesce(h.error_type, '') || ' ' || coalesce(h.error_message, '')) from treadle_history h
                  where h.job_id = scanned.id
                    and h.token = (select max(token) from treadle_history told where told.job_id = scanned.id)), '') like ?)
          and (? = -1 or ? =
            case when exists (select 1 from treadle_lease l where l.job_id = scanned.id) then 2
                 when exists (select 1 from treadle_deferred d where d.job_id = scanned.id) then 0
                 when exists (select 1 from treadle_parked p where p.job_id = scanned.id) then 6
                 when exists (select 1 from treadle_keyed k where k.job_id = scanned.id and k.due_at is not null) then 0
                 else coalesce((
                   select case when h.next in (3, 4, 5) then h.next end from treadle_history h
                    where h.job_id = scanned.id
                      and h.token = (select max(token) from treadle_history told where told.job_id = scanned.id)), 1)
            end)) as fits
    from (select j.* from (select job_id from treadle_label where label = ? and job_id < ? order by job_id desc limit ?) placed
            join treadle_job j on j.id = placed.job_id) scanned) looked
 where fits or last order by id desc limit ?

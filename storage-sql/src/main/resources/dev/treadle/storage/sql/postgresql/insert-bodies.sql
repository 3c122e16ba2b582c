-- insert-bodies: keep the bodies of new jobs that are placed by their keys; answers the ids that were not there yet.
insert into treadle_job (id, created_at, type, method, arguments, priority, traits)
select id, now(), type, method, arguments, priority, traits
  from unnest(:ids::uuid[], :types::text[], :methods::text[], :arguments::text[], :priorities::smallint[], :traits::text[])
    as new (id, type, method, arguments, priority, traits)
on conflict (id) do nothing
returning id

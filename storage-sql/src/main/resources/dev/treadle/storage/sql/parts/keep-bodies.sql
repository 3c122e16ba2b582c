-- keep-bodies: keep the bodies of new jobs, but for those whose ids are there.
insert into treadle_job (id, created_at, type, method, arguments, priority, traits)
select id, now(), type, method, arguments, priority, traits
  from unnest(:ids::uuid[], :types::text[], :methods::text[], :arguments::text[], :priorities::smallint[], :traits::text[])
    as new (id, type, method, arguments, priority, traits)
on conflict (id) do nothing

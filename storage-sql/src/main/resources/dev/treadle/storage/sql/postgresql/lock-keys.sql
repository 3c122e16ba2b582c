-- lock-keys: lock keys in the order given, making those that are not there.
insert into treadle_key (line, held, waiting, at_most, burst, spacing_micros)
select line, 0, 0, at_most, burst, spacing_micros
  from unnest(:lines::text[], :at_most::bigint[], :bursts::bigint[], :spacings::bigint[])
    as new (line, at_most, burst, spacing_micros)
on conflict (line) do update
   set at_most = case when :change then excluded.at_most else treadle_key.at_most end,
       burst = case when :change then excluded.burst else treadle_key.burst end,
       spacing_micros = case when :change then excluded.spacing_micros else treadle_key.spacing_micros end
returning line, held, waiting, at_most, burst, spacing_micros, paid_at

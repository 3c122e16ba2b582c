-- lock-keys: lock one key, making it if it is not there.
insert into treadle_key (line, held, waiting, at_most, burst, spacing_micros)
values (:line, 0, 0, :at_most, :burst, :spacing_micros)
on conflict (line) do update
   set at_most = case when :change then excluded.at_most else treadle_key.at_most end,
       burst = case when :change then excluded.burst else treadle_key.burst end,
       spacing_micros = case when :change then excluded.spacing_micros else treadle_key.spacing_micros end

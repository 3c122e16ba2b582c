-- lock-keys: lock one key, making it if it is not there.
insert into treadle_key (line, held, waiting, at_most, burst, spacing_micros) values (?, 0, 0, ?, ?, ?)
on conflict (line) do update
   set at_most = case when ? then excluded.at_most else treadle_key.at_most end,
       burst = case when ? then excluded.burst else treadle_key.burst end,
       spacing_micros = case when ? then excluded.spacing_micros else treadle_key.spacing_micros end

-- lock-keys: lock one key, making it if it is not there.
insert into treadle_key (line, held, waiting, at_most, burst, spacing_micros) values (:line, 0, 0, :at_most, :burst, :spacing_micros)
on duplicate key update
  at_most = case when :change then values(at_most) else at_most end,
  burst = case when :change then values(burst) else burst end,
  spacing_micros = case when :change then values(spacing_micros) else spacing_micros end

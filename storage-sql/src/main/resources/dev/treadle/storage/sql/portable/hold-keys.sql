-- hold-keys: lock one key, if it is there.
select line, held, waiting, at_most, burst, spacing_micros, paid_at from treadle_key where line = :line for update

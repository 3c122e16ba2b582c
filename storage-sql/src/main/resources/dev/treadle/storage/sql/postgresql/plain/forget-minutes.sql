-- forget-minutes: minutes older than so many microseconds; a few at a time.
delete from treadle_minute where (at, node) in (
  select at, node from treadle_minute
   where at < current_timestamp - :kept_micros::bigint * interval '1 microsecond' limit :forgotten_max)

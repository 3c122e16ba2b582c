-- forget-minutes: a few minutes that have had their time, so many microseconds.
delete from treadle_minute where at < current_timestamp - interval :kept_micros microsecond limit :forgotten_max

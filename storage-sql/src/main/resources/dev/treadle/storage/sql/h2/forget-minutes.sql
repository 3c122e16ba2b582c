-- forget-minutes: a few minutes that have had their time.
delete from treadle_minute
 where at < dateadd(microsecond, -cast(:kept_micros as bigint), current_timestamp)
 fetch first :forgotten_max rows only

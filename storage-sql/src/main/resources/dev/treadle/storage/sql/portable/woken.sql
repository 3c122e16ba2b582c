-- woken: keys whose rate has room again. Read without a lock: what there is room for is looked at under it.
select line from treadle_key where wake_at <= current_timestamp order by wake_at limit :max

-- forget-nodes: delete a few nodes that went long ago, so many microseconds.
delete from treadle_node where gone_at < current_timestamp - interval :gone_micros microsecond limit :max

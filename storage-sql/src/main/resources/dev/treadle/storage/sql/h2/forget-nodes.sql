-- forget-nodes: delete a few nodes that went long ago, so many microseconds.
delete from treadle_node where gone_at < dateadd(microsecond, -cast(:gone_micros as bigint), current_timestamp) limit :max

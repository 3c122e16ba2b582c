-- beats: the last heartbeat of each node that has not gone, and how long each may be silent.
select id, beat_at, dead_after_micros from treadle_node where gone_at is null

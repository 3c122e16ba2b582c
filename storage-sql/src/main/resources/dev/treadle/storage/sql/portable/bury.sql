-- bury: a node is dead, unless it has been heard since that heartbeat.
update treadle_node set gone_at = current_timestamp where id = ? and beat_at = ? and gone_at is null

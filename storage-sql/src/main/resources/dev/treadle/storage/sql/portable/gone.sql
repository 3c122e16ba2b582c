-- gone: a node has stopped, or is dead unless it has been heard since a heartbeat.
update treadle_node set gone_at = current_timestamp where id = :node and gone_at is null${unless_heard}

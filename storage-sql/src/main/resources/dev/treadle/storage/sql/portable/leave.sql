-- leave: a node has stopped.
update treadle_node set gone_at = current_timestamp where id = ?

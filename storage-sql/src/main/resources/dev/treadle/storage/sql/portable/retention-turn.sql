-- retention-turn: a node walks, unless another one has done so within a minute.
update treadle_retention set node = :node, until = current_timestamp + interval '60' second
 where id = 1 and (node = :node or until < current_timestamp)

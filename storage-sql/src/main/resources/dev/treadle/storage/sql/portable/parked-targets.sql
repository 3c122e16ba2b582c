-- parked-targets: what a node may try in some lanes: targets unknown where they were parked, or parked before this node was seen.
select distinct target from treadle_parked
 where lane = any(:lanes)
   and (not known or since < (select started_at from treadle_node where id = :node))

-- parked-targets: what a node may try: targets unknown where they were parked, or parked before this node was seen.
select distinct target from treadle_parked
 where not known or since < (select started_at from treadle_node where id = ?)

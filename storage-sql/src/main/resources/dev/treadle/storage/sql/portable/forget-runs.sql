-- forget-runs: what ran on nodes that are gone has ended with them.
delete from treadle_stop
 where not exists (select 1 from treadle_node n where n.id = treadle_stop.node and n.gone_at is null)

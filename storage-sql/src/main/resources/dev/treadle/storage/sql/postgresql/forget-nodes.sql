-- forget-nodes: delete a few nodes that went long ago, so many microseconds.
delete from treadle_node where ctid = any(array(
  select ctid from treadle_node where gone_at < now() - :gone_micros * interval '1 microsecond'
   order by gone_at limit :max for update skip locked))

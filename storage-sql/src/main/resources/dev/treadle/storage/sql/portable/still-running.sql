-- still-running: runs of living nodes that lost their lease and have not been seen to end.
select s.job_id, s.token, s.node, s.asked_at, current_timestamp
  from treadle_stop s
  join treadle_node n on n.id = s.node and n.gone_at is null
 order by s.asked_at limit :max

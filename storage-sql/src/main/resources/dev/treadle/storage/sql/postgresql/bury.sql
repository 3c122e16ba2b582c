-- bury: nodes that have been silent for so many microseconds and hold no lease are gone.
update treadle_node n set gone_at = now()
 where gone_at is null and beat_at < now() - ? * interval '1 microsecond'
   and not exists (select 1 from treadle_lease l where l.node = n.id)
returning id

-- bury: nodes that have been silent for so many microseconds and hold no lease are gone.
select id from final table (
  update treadle_node n set gone_at = current_timestamp
   where gone_at is null and beat_at < dateadd(microsecond, -cast(? as bigint), current_timestamp)
     and not exists (select 1 from treadle_lease l where l.node = n.id))

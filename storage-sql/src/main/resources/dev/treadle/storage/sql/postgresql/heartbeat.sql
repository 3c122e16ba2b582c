-- heartbeat: a node lives.
insert into treadle_node (id, name, executor, workers, started_at, beat_at, gone_at)
values (?, ?, ?, ?, now(), now(), null)
on conflict (id) do update set beat_at = greatest(treadle_node.beat_at, excluded.beat_at), gone_at = null

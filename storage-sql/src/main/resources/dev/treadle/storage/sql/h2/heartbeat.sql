-- heartbeat: a node lives.
merge into treadle_node n
using (values (?, ?, ?, ?)) as new (id, name, executor, workers) on n.id = new.id
when matched then update set beat_at = greatest(n.beat_at, current_timestamp), gone_at = null
when not matched then insert (id, name, executor, workers, started_at, beat_at, gone_at)
  values (new.id, new.name, new.executor, new.workers, current_timestamp, current_timestamp, null)

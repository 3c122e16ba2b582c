-- compatible
-- How long each node may be silent, as it says itself, and nodes that went do not slow down those that live: see
-- docs/adr/0024-judging-without-a-clock.md.
alter table treadle_node add column if not exists dead_after_micros bigint;
create index if not exists treadle_node_gone on treadle_node (gone_at);

-- busy-keys: lock those of the keys that nobody else is writing, and answer those that somebody is.
with free as materialized (
  select line from treadle_key where line = any(:lines) order by line for update skip locked)
select line from treadle_key where line = any(:lines) and line not in (select line from free)

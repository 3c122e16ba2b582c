-- busy-keys: lock one key, unless somebody else is writing it.
select line from treadle_key where line = :line for update skip locked

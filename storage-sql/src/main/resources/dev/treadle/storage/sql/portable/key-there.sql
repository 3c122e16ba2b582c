-- key-there: whether there is a key.
select line from treadle_key where line = :line

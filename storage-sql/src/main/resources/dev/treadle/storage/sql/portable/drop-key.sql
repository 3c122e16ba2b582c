-- drop-key: forget one key that nobody uses.
delete from treadle_key where line = :line

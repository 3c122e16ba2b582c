-- forget-tally: the locked rows that were made into one.
delete from treadle_tally where id = any(:ids)

-- hold-free-keys: lock those of the keys that are there and that no other transaction is writing.
select k.line, k.held, k.waiting, k.at_most, k.burst, k.spacing_micros, k.paid_at
  from treadle_key k
 where k.line = any(:lines::text[])
 order by k.line for update of k skip locked

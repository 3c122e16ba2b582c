-- hold-keys: lock those of the keys that are there, in the order given.
select k.line, k.held, k.waiting, k.at_most, k.burst, k.spacing_micros, k.paid_at
  from unnest(:lines::text[]) with ordinality as asked (line, n)
  join treadle_key k on k.line = asked.line
 order by asked.n for update of k

-- set-key: write how much room one key has.
update treadle_key
   set held = :held, waiting = :waiting, at_most = :at_most, burst = :burst,
       spacing_micros = :spacing_micros, paid_at = :paid_at, wake_at = :wake_at
 where line = :line

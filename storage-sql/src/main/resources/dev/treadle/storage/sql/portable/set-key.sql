-- set-key: write how much room one key has.
update treadle_key
   set held = ?, waiting = ?, at_most = ?, burst = ?, spacing_micros = ?, paid_at = ?, wake_at = ?
 where line = ?

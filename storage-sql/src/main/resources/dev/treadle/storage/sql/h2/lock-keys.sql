-- lock-keys: lock one key, making it if it is not there.
merge into treadle_key k
using (values (cast(:line as varchar), cast(:at_most as bigint), cast(:burst as bigint), cast(:spacing_micros as bigint)))
  as new (line, at_most, burst, spacing_micros) on k.line = new.line
when matched then update
   set at_most = case when :change then new.at_most else k.at_most end,
       burst = case when :change then new.burst else k.burst end,
       spacing_micros = case when :change then new.spacing_micros else k.spacing_micros end
when not matched then insert (line, held, waiting, at_most, burst, spacing_micros)
  values (new.line, 0, 0, new.at_most, new.burst, new.spacing_micros)

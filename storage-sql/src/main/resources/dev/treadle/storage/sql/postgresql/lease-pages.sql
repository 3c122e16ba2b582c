-- lease-pages: how many pages the leases take, dead ones with them.
select pg_relation_size('treadle_lease') / current_setting('block_size')::bigint

-- gate-news: gates where something has happened.
select distinct gate from treadle_gate_count limit :max

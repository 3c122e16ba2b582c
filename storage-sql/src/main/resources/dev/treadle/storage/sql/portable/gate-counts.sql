-- gate-counts: what has happened at gates.
select number, gate, ended, failed from treadle_gate_count where gate = any(:gates) limit :max

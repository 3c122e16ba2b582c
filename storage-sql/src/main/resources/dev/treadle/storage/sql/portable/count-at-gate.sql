-- count-at-gate: jobs have ended that a gate counts.
insert into treadle_gate_count (gate, ended, failed) values (:gate, :ended, :failed)

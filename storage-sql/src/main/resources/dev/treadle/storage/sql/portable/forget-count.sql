-- forget-count: what a gate knows now.
delete from treadle_gate_count where number = :number

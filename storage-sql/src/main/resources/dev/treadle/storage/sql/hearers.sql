-- hearers: whether there is a node that has not left, other than these. One that died is told apart only when it is buried.
select exists (select from treadle_node where gone_at is null and id <> all (?))

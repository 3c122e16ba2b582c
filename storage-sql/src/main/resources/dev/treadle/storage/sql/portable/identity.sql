-- identity: when each step of the schema was applied, which differs between any two databases.
select name, applied_at from treadle_schema order by name

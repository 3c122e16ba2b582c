-- transaction-age: when this transaction began, and what time it is.
select now(), clock_timestamp()

-- next-token: the token of one claim.
select nextval('treadle_token')

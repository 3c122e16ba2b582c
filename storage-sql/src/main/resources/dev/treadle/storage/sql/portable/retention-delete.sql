-- retention-delete: what one table tells of jobs that ended long ago.
delete from ${table} where ${columns} = any(:ids)

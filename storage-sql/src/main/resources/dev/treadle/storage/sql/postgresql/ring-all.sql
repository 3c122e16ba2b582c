-- ring-all: tell all nodes of other processes something.
select pg_notify('${channel}', :text || ';*;')

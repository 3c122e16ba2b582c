/** Jobs in H2, PostgreSQL or MariaDB. */
module dev.treadle.storage.sql {
    requires transitive dev.treadle.core;
    requires transitive java.sql;
    requires com.zaxxer.hikari;
    requires org.slf4j;
    requires tools.jackson.core;
    requires static org.jspecify;
    requires static org.mariadb.jdbc;
    requires static org.postgresql.jdbc;

    exports dev.treadle.storage.sql;
}

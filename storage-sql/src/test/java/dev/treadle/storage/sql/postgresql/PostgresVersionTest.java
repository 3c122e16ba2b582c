package dev.treadle.storage.sql.postgresql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.PGConnection;

class PostgresVersionTest {
    @ParameterizedTest
    @CsvSource({"14.0,14", "15.20 (Debian 15.20-0+deb12u1),15", "18.1,18"})
    void postgresql_is_taken_as_it_is(String version, int major) throws SQLException {
        assertEquals(List.of(), PostgresVersion.warnings(connection(version, major, null), false));
    }

    @Test
    void a_postgresql_that_is_too_old_is_refused() {
        Connection old = connection("13.22", 13, null);

        assertEquals(
                "This PostgreSQL is 13.22, and Treadle needs 14 or later. Upgrade the server.",
                assertThrows(IllegalArgumentException.class, () -> PostgresVersion.warnings(old, true))
                        .getMessage());
    }

    @ParameterizedTest
    @CsvSource({
        "15.2-YB-2025.2.3.0-b0,15,,This is YugabyteDB (15.2-YB-2025.2.3.0-b0) and not PostgreSQL",
        "11.2-YB-2.20.1.0-b0,11,,This is YugabyteDB (11.2-YB-2.20.1.0-b0) and not PostgreSQL",
        "13.0.0,13,CockroachDB CCL v25.4.1,This is CockroachDB CCL v25.4.1 and not PostgreSQL",
        "18.0.0,18,v26.3.0,This is CockroachDB v26.3.0 and not PostgreSQL"
    })
    void what_only_speaks_its_protocol_is_refused_and_may_be_tried_with_the_portable_statements(
            String version, int major, @Nullable String cockroach, String begin) throws SQLException {
        Connection other = connection(version, major, cockroach);

        String refused = assertThrows(IllegalArgumentException.class, () -> PostgresVersion.warnings(other, false))
                .getMessage();
        assertTrue(refused.startsWith(begin), refused);
        assertTrue(refused.contains("withPortableSql(true)"), refused);
        List<String> warned = PostgresVersion.warnings(other, true);
        assertEquals(1, warned.size());
        assertTrue(warned.get(0).startsWith(begin), warned::toString);
        assertTrue(warned.get(0).contains("./treadle test --storage"), warned::toString);
    }

    private static Connection connection(String version, int major, @Nullable String cockroach) {
        Object about = answering(
                DatabaseMetaData.class, Map.of("getDatabaseProductVersion", version, "getDatabaseMajorVersion", major));
        Object driver =
                answering(PGConnection.class, cockroach == null ? Map.of() : Map.of("getParameterStatus", cockroach));
        return (Connection)
                answering(Connection.class, Map.of("getMetaData", about, "isWrapperFor", true, "unwrap", driver));
    }

    private static Object answering(Class<?> type, Map<String, Object> answers) {
        return Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> answers.get(method.getName()));
    }
}

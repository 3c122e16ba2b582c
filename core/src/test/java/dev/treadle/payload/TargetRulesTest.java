package dev.treadle.payload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TargetRulesTest {
    private static final TargetRules ANY = TargetRules.applicationTypes();
    private static final TargetRules ACME = TargetRules.allow(List.of("com.acme.jobs", "org.acme.Slips"));

    @ParameterizedTest
    @CsvSource({
        // name, allowed with nothing configured, allowed by com.acme.jobs and org.acme.Slips
        "com.acme.jobs.Slips, true, true",
        "com.acme.jobs.deep.Slips$Nested, true, true",
        "com.acme.jobsevil.Slips, true, false",
        "com.acme.Slips, true, false",
        "org.acme.Slips, true, true",
        "org.acme.Slips$Nested, true, true",
        "org.acme.Slips2, true, false",
        "InNoPackage, true, false",
        "dev.treadle.example.Slips, true, false",
        "dev.treadle.payload.TargetRulesTest, true, false",
        "dev.treadle.payload.TargetRulesTest$Nested, true, false",
        "dev.treadle.payload.TargetRules, false, false",
        "dev.treadle.storage.Sneaky$Test, false, false",
        "java.lang.Runtime, false, false",
        "javax.naming.InitialContext, false, false",
        "jdk.internal.misc.Unsafe, false, false",
        "sun.misc.Unsafe, false, false",
        "com.sun.rowset.JdbcRowSetImpl, false, false",
        "jakarta.el.ELProcessor, false, false",
        "org.xml.sax.XMLReader, false, false",
        "org.h2.tools.RunScript, false, false",
        "org.postgresql.ds.PGSimpleDataSource, false, false",
        "com.zaxxer.hikari.HikariDataSource, false, false",
        "com.mysql.cj.jdbc.Driver, false, false",
        "oracle.jdbc.OracleDriver, false, false",
        "com.microsoft.sqlserver.jdbc.SQLServerDriver, false, false",
        "org.springframework.expression.Expression, false, false",
        "org.apache.commons.collections.functors.InvokerTransformer, false, false",
        "ch.qos.logback.core.db.JNDIConnectionSource, false, false",
        "[Lcom.acme.jobs.Slips;, false, false",
        "com/acme/jobs/Slips, false, false",
        "com.acme.jobs..Slips, false, false",
        "'', false, false",
    })
    void names_are_allowed_or_refused_by_this_table(String name, boolean any, boolean acme) {
        assertEquals(any, ANY.refusal(name).isEmpty());
        assertEquals(acme, ACME.refusal(name).isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"java", "java.util", "com.sun", "org.h2.", "dev.treadle", "dev.treadle.server", "oracle"})
    void allowing_what_is_never_allowed_fails_at_once(String prefix) {
        String message = assertThrows(IllegalArgumentException.class, () -> TargetRules.allow(List.of(prefix)))
                .getMessage();
        assertTrue(message.contains(prefix) && message.contains("never allowed"), message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "com acme", "com.acme.*", "com/acme", "."})
    void what_is_no_package_name_fails_at_once(String prefix) {
        assertThrows(IllegalArgumentException.class, () -> TargetRules.allow(List.of(prefix)));
    }

    @Test
    void well_known_libraries_may_be_asked_for() {
        assertEquals(
                Optional.empty(),
                TargetRules.allow(List.of("org.springframework.acme")).refusal("org.springframework.acme.Job"));
    }

    @Test
    void a_refusal_holds_the_line_that_allows() {
        assertTrue(ACME.refusal("com.other.Slips").orElseThrow().contains("allow(\"com.other\")"));
    }

    @Test
    void registered_types_are_allowed_beside_the_packages_and_platform_types_never() {
        TargetRules rules = ACME.withRegistered(List.of(TargetRulesTest.class, Runtime.class));
        assertEquals(Optional.empty(), rules.refusal(TargetRulesTest.class));
        assertTrue(rules.refusal(Runtime.class).isPresent());
        assertTrue(rules.refusal("java.lang.Runtime").isPresent());
    }

    @Test
    void a_platform_class_is_known_by_its_loader_and_inherited_methods_by_their_class() throws Exception {
        assertTrue(ANY.refusal(Class.forName("org.ietf.jgss.Oid")).isPresent());
        assertTrue(ANY.refusal(java.sql.DriverManager.class).isPresent());
        assertTrue(ANY.inheritedRefusal(Object.class).isPresent());
        assertEquals(Optional.empty(), ANY.inheritedRefusal(TargetRulesTest.class));
    }
}

package dev.treadle.payload;

import java.util.List;
import java.util.Optional;

/** Types that no job may ever call, and types that jobs may call only if the configuration names them. */
final class NeverTargets {
    private static final List<String> PLATFORM = List.of(
            "java.",
            "javax.",
            "jdk.",
            "sun.",
            "com.sun.",
            "jakarta.",
            "netscape.",
            "org.ietf.",
            "org.jcp.",
            "org.omg.",
            "org.w3c.",
            "org.xml.");
    private static final List<String> DRIVERS = List.of(
            "com.ibm.db2.",
            "com.mchange.",
            "com.microsoft.sqlserver.",
            "com.mysql.",
            "com.p6spy.",
            "com.zaxxer.",
            "oracle.",
            "org.apache.commons.dbcp.",
            "org.apache.commons.dbcp2.",
            "org.apache.derby.",
            "org.apache.tomcat.",
            "org.firebirdsql.",
            "org.h2.",
            "org.hsqldb.",
            "org.mariadb.",
            "org.postgresql.",
            "org.sqlite.");
    private static final List<String> INFRASTRUCTURE = List.of(
            "bsh.",
            "ch.qos.logback.",
            "clojure.",
            "com.fasterxml.",
            "com.google.common.",
            "groovy.",
            "io.netty.",
            "javassist.",
            "kotlin.",
            "net.bytebuddy.",
            "net.sf.cglib.",
            "org.apache.",
            "org.codehaus.",
            "org.eclipse.",
            "org.hibernate.",
            "org.jboss.",
            "org.mozilla.javascript.",
            "org.objectweb.asm.",
            "org.python.",
            "org.slf4j.",
            "org.springframework.",
            "org.yaml.",
            "scala.",
            "tools.jackson.");
    private static final String OURS = "dev.treadle.";
    private static final List<String> OURS_BUT_HARMLESS = List.of("dev.treadle.example.", "dev.treadle.benchmark.");

    private NeverTargets() {}

    /** Describes the kind of type if the name is one that no job may call. */
    static Optional<String> kind(String name) {
        if (startsWithAny(name, PLATFORM)) {
            return Optional.of("part of the Java platform");
        }
        if (startsWithAny(name, DRIVERS)) {
            return Optional.of("part of a database driver or connection pool");
        }
        return name.startsWith(OURS) && !isExampleOrTest(name) ? Optional.of("part of Treadle") : Optional.empty();
    }

    /** Describes the forbidden types that a configured prefix would allow, if any. */
    static Optional<String> kindWithin(String prefix) {
        return isExampleOrTest(prefix) ? Optional.empty() : kind(prefix + ".");
    }

    /** Whether a name belongs to a well-known library, whose types are not meant to be jobs. */
    static boolean isInfrastructure(String name) {
        return startsWithAny(name, INFRASTRUCTURE);
    }

    /** Whether the platform's own loaders have loaded the class. */
    static boolean isPlatform(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        return loader == null || loader == ClassLoader.getPlatformClassLoader();
    }

    /** Test classes are not in what we ship, so their names give nothing away. */
    private static boolean isExampleOrTest(String name) {
        int nested = name.indexOf('$');
        return startsWithAny(name, OURS_BUT_HARMLESS)
                || (nested < 0 ? name : name.substring(0, nested)).endsWith("Test");
    }

    private static boolean startsWithAny(String name, List<String> prefixes) {
        return prefixes.stream().anyMatch(name::startsWith);
    }
}

package dev.treadle.example.shop.experiment;

import java.util.List;

/**
 * Threads that the shop runs on.
 *
 * @param name       as the table says it
 * @param properties what makes Spring Boot do so
 */
record Setup(String name, List<String> properties) {
    /** Those that are compared: the first two differ in how many threads they may have. */
    static List<Setup> all() {
        return List.of(
                new Setup(
                        "platform threads, as Spring Boot sets them", List.of("spring.threads.virtual.enabled=false")),
                new Setup(
                        "platform threads, 1,000 of each",
                        List.of(
                                "spring.threads.virtual.enabled=false",
                                "server.tomcat.threads.max=1000",
                                "spring.task.execution.pool.core-size=1000",
                                "treadle.server.workers=1000")),
                new Setup("virtual threads", List.of("spring.threads.virtual.enabled=true")));
    }
}

package dev.treadle.dashboard;

import dev.treadle.architecture.rules.PackageRules;
import java.util.List;
import java.util.Set;

/** The packages of this module, from row 0 up. */
class ArchitectureTest extends PackageRules {
    ArchitectureTest() {
        super(
                "dev.treadle.dashboard",
                List.of(Set.of("web"), Set.of("guard", "live"), Set.of("api"), Set.of(""), Set.of("servlet")));
    }
}

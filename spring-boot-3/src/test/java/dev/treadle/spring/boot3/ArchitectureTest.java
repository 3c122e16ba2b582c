package dev.treadle.spring.boot3;

import dev.treadle.architecture.rules.PackageRules;
import java.util.List;
import java.util.Set;

/** The packages of this module, from row 0 up. */
class ArchitectureTest extends PackageRules {
    ArchitectureTest() {
        super("dev.treadle.spring.boot3", List.of(Set.of("")));
    }
}

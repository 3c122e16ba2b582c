package dev.treadle;

import dev.treadle.architecture.rules.PackageRules;
import java.util.List;
import java.util.Set;

/** The packages of this module, from row 0 up. */
class ArchitectureTest extends PackageRules {
    ArchitectureTest() {
        super("dev.treadle", List.of(Set.of("benchmark"), Set.of("showdown")));
    }

    /** Never shipped, and some of what it measures is hidden. */
    @Override
    protected boolean mayUseHiddenPackages() {
        return true;
    }
}

/** Rules about packages that every module keeps. A module's tests extend {@link dev.treadle.architecture.rules.PackageRules}. */
@NullMarked
package dev.treadle.architecture.rules;

import org.jspecify.annotations.NullMarked;

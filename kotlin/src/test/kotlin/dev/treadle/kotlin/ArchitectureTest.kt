package dev.treadle.kotlin

import dev.treadle.architecture.rules.PackageRules

/** The packages of this module, from row 0 up. */
class ArchitectureTest : PackageRules("dev.treadle.kotlin", listOf(setOf("")))

package dev.treadle.example.slip;

import java.util.List;

/** A part of the company, with the roles in it from the least to the best paid. */
enum Department {
    WEAVING("Weaving hall", 2_650, "Loom operator", "Pattern setter", "Shift lead"),
    DYEING("Dye works", 2_750, "Dyer", "Colour technician", "Dye master"),
    DESIGN("Design studio", 3_300, "Textile designer", "Senior designer", "Head of collection"),
    LOGISTICS("Warehouse & logistics", 2_500, "Warehouse clerk", "Transport planner", "Site manager"),
    QUALITY("Quality laboratory", 3_000, "Laboratory assistant", "Quality engineer", "Head of laboratory"),
    IT("Information technology", 3_600, "Systems engineer", "Software developer", "Technical architect"),
    FINANCE("Finance & payroll", 3_200, "Bookkeeper", "Payroll specialist", "Controller");

    private final String printed;
    private final int startingGross;
    private final List<String> roles;

    Department(String printed, int startingGross, String... roles) {
        this.printed = printed;
        this.startingGross = startingGross;
        this.roles = List.of(roles);
    }

    String printed() {
        return printed;
    }

    /** The lowest monthly gross of the first role, in euros. */
    int startingGross() {
        return startingGross;
    }

    List<String> roles() {
        return roles;
    }
}

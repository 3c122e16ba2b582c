package dev.treadle.example.slip;

/** What the program has to know of the made-up company; everything else about it is in the Word template. */
final class Company {

    static final String NAME = "Veldhaven Weaving Works";
    static final String DOMAIN = "veldhaven.example";
    static final String PAYROLL = "payroll@" + DOMAIN;

    private Company() {}
}

package dev.treadle.dashboard;

/** The dashboard in a Tomcat. */
class TomcatTest extends ServletContract {
    TomcatTest() {
        super(ServletContainer.Kind.TOMCAT);
    }
}

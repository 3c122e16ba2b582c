package dev.treadle.dashboard;

/** The dashboard in a Jetty. */
class JettyTest extends ServletContract {
    JettyTest() {
        super(ServletContainer.Kind.JETTY);
    }
}

package dev.treadle.dashboard;

/** The dashboard in an Undertow. */
class UndertowTest extends ServletContract {
    UndertowTest() {
        super(ServletContainer.Kind.UNDERTOW);
    }
}

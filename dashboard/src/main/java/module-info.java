/** The dashboard: a page and an API over one Treadle, off unless asked for. */
module dev.treadle.dashboard {
    requires transitive dev.treadle.core;
    requires java.management;
    requires jdk.management;
    requires org.slf4j;
    requires tools.jackson.databind;
    requires static transitive org.jspecify;
    // the application's web server brings it, if there is one
    requires static transitive jakarta.servlet;

    exports dev.treadle.dashboard;
    exports dev.treadle.dashboard.guard;
    exports dev.treadle.dashboard.servlet;
    exports dev.treadle.dashboard.web;

    // written as JSON
    opens dev.treadle.dashboard.api to
            tools.jackson.databind;
    opens dev.treadle.dashboard.live to
            tools.jackson.databind;
    opens dev.treadle.dashboard.web to
            tools.jackson.databind;
}

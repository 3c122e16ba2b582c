package dev.treadle.engine;

/** Whether this JVM has the modules of JDK management, which a trimmed runtime image may lack. */
final class JdkManagement {
    private JdkManagement() {}

    static boolean areThere() {
        // by name, so that nothing of them is loaded before the first job
        ModuleLayer all = ModuleLayer.boot();
        return all.findModule("java.management").isPresent()
                && all.findModule("jdk.management").isPresent();
    }
}

package dev.treadle.engine;

/** Whether this JVM can be asked about itself: one cut down to what it runs may lack the modules for it. */
final class JdkManagement {
    private JdkManagement() {}

    static boolean areThere() {
        // by name, so that nothing of them is loaded before the first job
        ModuleLayer all = ModuleLayer.boot();
        return all.findModule("java.management").isPresent()
                && all.findModule("jdk.management").isPresent();
    }
}

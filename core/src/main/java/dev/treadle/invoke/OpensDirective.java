package dev.treadle.invoke;

/** The line that a module's owner has to add. */
final class OpensDirective {
    private OpensDirective() {}

    static String remedy(Class<?> type) {
        return "The module " + type.getModule().getName() + " does not give access to " + type.getName()
                + ". Add this line to its module-info.java: opens " + type.getPackageName() + " to "
                + OpensDirective.class.getModule().getName() + ";";
    }
}

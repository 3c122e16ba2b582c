package dev.treadle.invoke;

/** The line that has to be added to a module's declaration. */
final class OpensDirective {
    private OpensDirective() {}

    static String remedy(Class<?> type) {
        return "The module " + type.getModule().getName() + " does not give access to " + type.getName()
                + ". Add this line to its module-info.java: opens " + type.getPackageName() + " to "
                + OpensDirective.class.getModule().getName() + ";";
    }
}

package dev.treadle.cdi;

/** Which optional libraries an application has. */
final class Classes {
    private Classes() {}

    static boolean isPresent(String name) {
        try {
            Class.forName(name, false, Classes.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            // the application does without
            return false;
        }
    }
}

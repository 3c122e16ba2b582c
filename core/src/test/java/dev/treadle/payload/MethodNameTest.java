package dev.treadle.payload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MethodNameTest {
    interface Greets<T> {
        default void greet(T who) {}

        static void shared() {}
    }

    static class Base {
        protected Object make() {
            return "";
        }

        private void own() {}

        static void all(String[] names, int[][] grid) {}
    }

    static class Service extends Base implements Greets<String> {
        @Override
        public String make() {
            return "";
        }

        @Override
        public void greet(String who) {}

        void lists(List<String> a, Map.Entry<String, Integer> b) {}

        void lists(List<String> a, long b) {}

        private void secret() {}
    }

    private static String missing(Class<?> type, String text) {
        return assertThrows(NoSuchMethodException.class, () -> MethodName.find(type, text))
                .getMessage();
    }

    @Test
    void every_method_is_found_by_its_text() throws Exception {
        for (String text : List.of(
                "make()",
                "greet(java.lang.String)",
                "lists(java.util.List,java.util.Map$Entry)",
                "lists(java.util.List,long)",
                "all(java.lang.String[],int[][])")) {
            // why getTypeName: arrays are written as in source, nested types as in class files
            assertEquals(text, MethodName.of(MethodName.find(Service.class, text)));
        }
    }

    @Test
    void the_nearest_of_overridden_methods_is_found_and_never_a_bridge() throws Exception {
        assertEquals(Service.class, MethodName.find(Service.class, "make()").getDeclaringClass());
        assertEquals(String.class, MethodName.find(Service.class, "make()").getReturnType());
        assertEquals(
                Greets.class,
                MethodName.find(Service.class, "greet(java.lang.Object)").getDeclaringClass());
    }

    @Test
    void a_missing_method_names_those_of_the_same_name() {
        String message = missing(Service.class, "lists(java.util.List)");
        assertTrue(
                message.contains("lists(java.util.List,long) and ")
                        || message.contains(" and lists(java.util.List,long)"),
                message);
        assertTrue(missing(Service.class, "gone()").contains("none named gone"));
        assertTrue(missing(Service.class, "garbage").contains("none named garbage"));
    }

    @Test
    void private_methods_and_static_ones_of_interfaces_are_not_inherited() {
        assertTrue(missing(Service.class, "own()").contains("none named own"));
        assertTrue(missing(Service.class, "shared()").contains("none named shared"));
        assertTrue(missing(Service.class, "secret()").contains("is private"));
    }
}

package dev.treadle.payload;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DeclaredTypesTest {
    private final JsonArguments json = new JsonArguments();

    record Order(long id) {}

    static class Importer<T> {
        void handle(T item, List<T> more, Map<String, ? extends T> named, long count) {}
    }

    static class OrderImporter extends Importer<Order> {}

    @Test
    void a_variable_of_a_generic_superclass_is_what_the_class_binds_it_to() throws Exception {
        Method method =
                MethodName.find(OrderImporter.class, "handle(java.lang.Object,java.util.List,java.util.Map,long)");
        Type[] types = DeclaredTypes.of(OrderImporter.class, method);
        Order order = new Order(1);
        Object[] values = {order, List.of(order), Map.of("a", order), 2L};
        assertEquals(List.of(values), List.of(json.read(json.write(types, values), types)));
        assertEquals(Order.class.getName(), DeclaredTypes.name(types[0]));
    }
}

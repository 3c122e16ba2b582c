package dev.treadle.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How much the author of a storage has to write. */
class PortTest {
    /** What must be implemented. */
    private static final List<Class<?>> PORT = List.of(
            TransactionalStorage.class,
            StorageProvider.class,
            JobQueries.class,
            RunStorage.class,
            GateStorage.class,
            RecurringStorage.class);
    /** What a storage may have, or is called with. */
    private static final Set<Class<?>> OPTIONAL =
            Set.of(DueNotifications.class, JobTransactions.class, DueListener.class);
    /** Most methods that must be implemented. Before you raise it, look for one that says nearly the same. */
    private static final int METHODS_MAX = 40;

    @Test
    void a_storage_has_few_methods_to_implement() {
        List<String> methods = PORT.stream()
                .flatMap(part -> Arrays.stream(part.getDeclaredMethods())
                        .filter(method -> Modifier.isAbstract(method.getModifiers()) && !handsOutPart(method))
                        .map(method -> part.getSimpleName() + "." + method.getName()))
                .sorted()
                .toList();

        assertTrue(methods.size() <= METHODS_MAX, () -> methods.size() + " methods: " + methods);
    }

    @Test
    void every_interface_of_the_port_is_counted() throws IOException {
        Set<String> counted = Stream.concat(PORT.stream(), OPTIONAL.stream())
                .map(Class::getName)
                .collect(Collectors.toCollection(TreeSet::new));
        String prefix = StorageProvider.class.getPackageName() + ".";
        Set<String> there = Files.readAllLines(Path.of("src/test/resources/exported-types.txt")).stream()
                .filter(name -> name.startsWith(prefix) && name.indexOf('.', prefix.length()) < 0)
                .filter(PortTest::isInterface)
                .collect(Collectors.toCollection(TreeSet::new));

        assertEquals(there, counted);
    }

    private static boolean handsOutPart(Method method) {
        return method.getParameterCount() == 0 && PORT.contains(method.getReturnType());
    }

    private static boolean isInterface(String name) {
        try {
            return Class.forName(name).isInterface();
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }
}

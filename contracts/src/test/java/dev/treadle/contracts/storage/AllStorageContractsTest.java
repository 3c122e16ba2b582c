package dev.treadle.contracts.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class AllStorageContractsTest {
    @Test
    void no_contract_is_missing() throws Exception {
        Path folder = Path.of(AllStorageContracts.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .resolve(AllStorageContracts.class.getPackageName().replace('.', '/'));
        Set<String> written;
        try (Stream<Path> files = Files.list(folder)) {
            written = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith("Contract.class"))
                    .map(name -> name.replace(".class", ""))
                    .filter(name -> !name.equals("StorageContract"))
                    .collect(Collectors.toSet());
        }
        Set<String> nested = Stream.of(AllStorageContracts.class.getDeclaredClasses())
                .filter(one -> one.isAnnotationPresent(Nested.class) && !Modifier.isStatic(one.getModifiers()))
                .map(one -> one.getSuperclass().getSimpleName())
                .collect(Collectors.toSet());

        assertTrue(written.size() > 30, () -> "only " + written);
        assertEquals(written, nested);
    }

    @Test
    void a_single_contract_without_a_storage_says_what_to_override() {
        ClaimContract alone = new ClaimContract() {};

        String message =
                assertThrows(IllegalStateException.class, alone::emptyStorage).getMessage();

        assertTrue(message.contains("override emptyStorage()"), message);
    }
}

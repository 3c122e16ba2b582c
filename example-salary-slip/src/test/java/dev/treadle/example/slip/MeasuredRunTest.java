package dev.treadle.example.slip;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class MeasuredRunTest {
    @TempDir
    private Path folder;

    @Test
    void a_run_stands_between_two_marks_and_its_warm_up_before_them() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        String[] demo = {
            "--employees=3",
            "--time-clock=0s",
            "--port=0",
            "--clean",
            "--exit",
            "--storage=memory",
            "--out=" + folder.resolve("out"),
            "--data=" + folder.resolve("data")
        };
        long before = System.currentTimeMillis();

        assertTrue(new MeasuredRun(2, demo, new StringReader("go\n"), new PrintStream(bytes, true, "UTF-8")).run());

        List<String> marks = bytes.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.startsWith("@"))
                .toList();
        assertEquals(
                List.of("@ready", "@begin", "@end"),
                marks.stream().map(mark -> mark.split(" ")[0]).toList());
        long begin = Long.parseLong(marks.get(1).split(" ")[1]);
        long end = Long.parseLong(marks.get(2).split(" ")[1]);
        assertTrue(before <= begin && begin <= end && end <= System.currentTimeMillis(), marks::toString);
        assertEquals("3", marks.get(2).split(" ")[2]);
        assertTrue(Files.isDirectory(folder.resolve("out-warm-up")));
    }
}

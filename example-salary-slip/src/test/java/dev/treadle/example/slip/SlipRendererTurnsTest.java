package dev.treadle.example.slip;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How many threads share one renderer. */
@Timeout(600)
class SlipRendererTurnsTest {

    private static final int THREADS = 8;

    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

    @AfterEach
    void stop_threads() {
        threads.shutdownNow();
    }

    @Test
    void eight_threads_rendering_32_slips_never_mix_them_up() throws Exception {
        List<byte[]> pdfs = renderedTogether(new SlipRenderer(SavedFo.fromBuild(), 8), 32);

        for (int i = 0; i < pdfs.size(); i++) {
            Pdf.read(pdfs.get(i)).shows(SampleSlips.march(i + 1));
        }
    }

    @Test
    void eight_threads_that_convert_the_word_document_each_time_never_mix_them_up() throws Exception {
        List<byte[]> pdfs = renderedTogether(new SlipRenderer(new WordEachTime(), 8), 16);

        for (int i = 0; i < pdfs.size(); i++) {
            Pdf.read(pdfs.get(i)).shows(SampleSlips.march(i + 1));
        }
    }

    @Test
    void first_renders_at_the_same_time_share_nothing_that_breaks() throws Exception {
        for (int round = 0; round < 12; round++) {
            assertEquals(
                    8,
                    renderedTogether(new SlipRenderer(SavedFo.fromBuild(), 8), 8)
                            .size());
        }
    }

    @Test
    void no_more_slips_are_rendered_at_once_than_the_bound_says() throws Exception {
        AtomicInteger now = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch twoAreIn = new CountDownLatch(2);
        FoSource saved = SavedFo.fromBuild();
        FoSource counting = slip -> {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            try {
                twoAreIn.countDown();
                assertTrue(twoAreIn.await(120, TimeUnit.SECONDS), "the second turn was never used");
                return saved.foFor(slip);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            } finally {
                now.decrementAndGet();
            }
        };

        renderedTogether(new SlipRenderer(counting, 2), 16);

        assertEquals(2, most.get());
    }

    @Test
    void a_failed_render_gives_its_turn_back_and_keeps_its_cause() throws Exception {
        SlipRenderer oneAtOnce = new SlipRenderer(SavedFo.fromBuild(), 1);

        var failed = assertThrows(IOException.class, () -> oneAtOnce.render(SampleSlips.march(1), new FullDisk()));
        assertEquals("disk full", failed.getMessage());

        Pdf.read(Pdf.bytes(oneAtOnce, SampleSlips.march(2))).shows(SampleSlips.march(2));
    }

    @Test
    void an_interrupt_ends_the_wait_for_a_turn() {
        Thread.currentThread().interrupt();

        ByteArrayOutputStream out = new ByteArrayOutputStream();
        assertThrows(InterruptedException.class, () -> new SlipRenderer().render(SampleSlips.march(1), out));
        assertEquals(0, out.size());
    }

    @Test
    void a_bound_out_of_range_is_refused_with_the_range() {
        var refused = assertThrows(IllegalArgumentException.class, () -> new SlipRenderer(SavedFo.fromBuild(), 0));

        assertEquals("rendersAtOnceMax must be 1..256, was 0", refused.getMessage());
    }

    /** Renders slips 1 to count, a multiple of the threads, which begin together. */
    private List<byte[]> renderedTogether(SlipRenderer renderer, int count) throws Exception {
        CyclicBarrier start = new CyclicBarrier(THREADS);
        List<Callable<byte[]>> jobs = new ArrayList<>();
        for (long id = 1; id <= count; id++) {
            SalarySlip slip = SampleSlips.march(id);
            jobs.add(() -> {
                start.await();
                return Pdf.bytes(renderer, slip);
            });
        }
        List<byte[]> pdfs = new ArrayList<>();
        for (Future<byte[]> done : threads.invokeAll(jobs)) {
            pdfs.add(done.get());
        }
        return pdfs;
    }

    private static final class FullDisk extends OutputStream {

        @Override
        public void write(int b) throws IOException {
            throw new IOException("disk full");
        }
    }
}

package dev.treadle.showdown;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanTest {
    private static final Jdk OLD = new Jdk(17, Path.of("/jdk17"));
    private static final Jdk YOUNG = new Jdk(25, Path.of("/jdk25"));

    @Test
    void the_contenders_are_the_oldest_pool_and_pool_and_virtual_threads_on_the_newest() {
        List<Contender> contenders = Contender.of(Jdk.parse("17 /jdk17\n21 /jdk21\n\n25 /jdk25\n"));

        assertEquals(
                List.of(
                        new Contender("JDK 17 pool", "pool", OLD),
                        new Contender("JDK 25 pool", "pool", YOUNG),
                        new Contender("JDK 25 virtual", "virtual", YOUNG)),
                contenders);
    }

    @Test
    void a_jdk_that_is_missing_leaves_its_contender_empty_and_the_others_run() {
        List<Contender> contenders = Contender.of(List.of(YOUNG));

        assertFalse(contenders.get(0).isThere());
        assertEquals("JDK 17 pool", contenders.get(0).label());
        assertEquals(
                List.of("jdk-25-pool-fop-16-1", "jdk-25-virtual-fop-1000-1", "jdk-25-pool-fop-1000-1"),
                plan(contenders, "--quick").runs().stream().map(Plan.Run::id).toList());
    }

    @Test
    void rounds_are_interleaved_and_virtual_threads_run_once_for_both_rules_of_permits() {
        List<String> runs = plan(Contender.of(List.of(OLD, YOUNG)), "--rounds=2", "--renderer=fop").runs().stream()
                .map(Plan.Run::id)
                .toList();

        assertEquals(
                List.of(
                        "jdk-17-pool-fop-16-1",
                        "jdk-25-pool-fop-16-1",
                        "jdk-25-virtual-fop-1000-1",
                        "jdk-17-pool-fop-1000-1",
                        "jdk-25-pool-fop-1000-1"),
                runs.subList(0, 5));
        assertEquals(
                runs.subList(0, 5).stream().map(id -> id.replaceAll("1$", "2")).toList(), runs.subList(5, 10));
    }

    @Test
    void both_renderers_take_turns_too() {
        assertEquals(
                10, plan(Contender.of(List.of(OLD, YOUNG)), "--rounds=1").runs().size());
    }

    @Test
    void an_estimate_grows_with_the_waves_of_a_pool_and_the_limit_is_far_above_it() {
        Plan plan = plan(Contender.of(List.of(OLD, YOUNG)), "--renderer=fop");
        Setup pool = plan.defaults().get(1);
        Setup virtual = plan.defaults().get(2);

        assertTrue(plan.estimate(pool, 0).toSeconds() >= 2_000 / 16 * 4);
        assertTrue(plan.estimate(virtual, 0).compareTo(Duration.ofMinutes(2)) < 0);
        assertEquals(plan.estimate(virtual, 0).multipliedBy(3).plusMinutes(1), plan.limit(virtual, 0));
    }

    @Test
    void a_warm_up_is_a_tenth_of_the_slips_within_bounds() {
        List<Contender> none = Contender.of(List.of());

        assertEquals(4, plan(none, "--employees=4").warmUp());
        assertEquals(8, plan(none, "--employees=60").warmUp());
        assertEquals(50, plan(none, "--employees=500").warmUp());
        assertEquals(100, plan(none).warmUp());
        assertEquals(List.of(), plan(none).runs());
    }

    private static Plan plan(List<Contender> contenders, String... options) {
        return new Plan(ShowdownOptions.parse(options), contenders, 2);
    }
}

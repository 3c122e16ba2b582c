package dev.treadle.showdown;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class CurvePlanTest {
    private static final Jdk OLD = new Jdk(17, Path.of("/jdk17"));
    private static final Jdk YOUNG = new Jdk(25, Path.of("/jdk25"));

    @Test
    void what_the_pool_holds_by_itself_is_measured_first_and_then_each_line_in_that_and_in_parts_of_it() {
        CurvePlan plan = plan("--renderer=fop", "--rounds=2", "--lines=virtual,virtual+guard");

        assertEquals(List.of("curve-jdk-25-pool-fop-16-4096mb-1"), ids(plan.points(List.of(), List.of())));

        List<CurveRow> known = List.of(row("curve-jdk-25-pool-fop-16-4096mb-1", Fate.FINISHED, 110));
        List<String> ids = ids(plan.points(known, List.of()));
        assertEquals(
                List.of(
                        "curve-jdk-25-virtual-fop-1000-110mb-1",
                        "curve-jdk-25-virtual-fop-1000-guard-110mb-1",
                        "curve-jdk-25-virtual-fop-1000-55mb-1",
                        "curve-jdk-25-virtual-fop-1000-guard-55mb-1",
                        "curve-jdk-25-virtual-fop-1000-4096mb-1",
                        "curve-jdk-25-virtual-fop-1000-guard-4096mb-1",
                        "curve-jdk-25-virtual-fop-1000-27mb-1",
                        "curve-jdk-25-virtual-fop-1000-guard-27mb-1"),
                ids.subList(0, 8));
        assertEquals(
                ids.subList(0, 8).stream().map(id -> id.replaceAll("1$", "2")).toList(), ids.subList(8, 16));
    }

    @Test
    void heaps_that_are_given_need_no_other_run_and_a_smallest_heap_that_was_found_is_a_point_of_its_line() {
        SmallestRow smallest =
                new SmallestRow("JDK 25 virtual", "fop", 1_000, 200, "3s-5s", 22, 20, Fate.OUT_OF_MEMORY, "", 7, "");

        assertEquals(
                List.of(
                        "curve-jdk-25-virtual-fop-1000-64mb-1",
                        "curve-jdk-17-pool-fop-16-64mb-1",
                        "curve-jdk-25-virtual-fop-1000-22mb-1"),
                ids(plan("--renderer=fop", "--rounds=1", "--heaps=64", "--lines=virtual,old-pool")
                        .points(List.of(), List.of(smallest))));
    }

    @Test
    void a_pool_that_never_finished_tells_nothing_and_is_not_asked_for_anything_else() {
        List<CurveRow> failed = List.of(row("curve-jdk-25-pool-fop-16-4096mb-1", Fate.OVER_TIME, 90));

        assertEquals(
                List.of("curve-jdk-25-pool-fop-16-4096mb-1"),
                ids(plan("--renderer=fop").points(failed, List.of())));
    }

    private static List<String> ids(List<CurvePlan.Point> points) {
        return points.stream().map(CurvePlan.Point::id).toList();
    }

    private static CurvePlan plan(String... options) {
        return new CurvePlan(ShowdownOptions.parse(options), Contender.of(List.of(OLD, YOUNG)), 2);
    }

    private static CurveRow row(String run, Fate fate, int heapSize) {
        return new CurveRow(
                run,
                "JDK 25 pool",
                "pool",
                "fop",
                16,
                true,
                false,
                1,
                2_000,
                "3s-5s",
                4_096,
                fate,
                "",
                1,
                1,
                heapSize,
                1,
                1,
                0);
    }
}

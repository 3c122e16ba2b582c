package dev.treadle.testing;

/**
 * Where AssertJ's assertions about jobs begin; needs {@code org.assertj:assertj-core} on the path:
 *
 * <pre>{@code
 * import static dev.treadle.testing.TreadleAssertions.assertThat;
 *
 * assertThat(test).enqueued(Mail.class).once().with("to Ada", mail -> mail.to().equals("ada@example.org"));
 * }</pre>
 */
public final class TreadleAssertions {
    private TreadleAssertions() {}

    /** Asserts something about the jobs of a test. */
    public static TreadleTestAssert assertThat(TreadleTest actual) {
        return new TreadleTestAssert(actual);
    }
}

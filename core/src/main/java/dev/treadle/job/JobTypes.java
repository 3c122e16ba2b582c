package dev.treadle.job;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Names under which jobs are stored, beside those of {@link JobType} on registered requests. Immutable.
 *
 * <pre>{@code
 * Treadle.on(storage).types(JobTypes.of(Slips.class)                      // has @JobType, and jobs call its methods
 *         .withName(Legacy.class, "legacy.import", "com.acme.Import")     // cannot be annotated
 *         .withUpcast(SendBill.class, "com.acme.SendInvoice", json -> {   // stored before, with other fields
 *             json.put("currency", "EUR");
 *             return json;
 *         }))
 * }</pre>
 */
public final class JobTypes {
    /** None. */
    public static final JobTypes NONE = new JobTypes(List.of(), List.of(), List.of());

    private final List<Class<?>> classes;
    private final List<Naming> namings;
    private final List<Upcast> upcasts;

    private JobTypes(List<Class<?>> classes, List<Naming> namings, List<Upcast> upcasts) {
        this.classes = classes;
        this.namings = namings;
        this.upcasts = upcasts;
    }

    /** Classes whose methods jobs call, and whose {@link JobType} counts. */
    public static JobTypes of(Class<?>... classes) {
        return NONE.withClasses(classes);
    }

    /** Adds classes whose methods jobs call, and whose {@link JobType} counts. */
    public JobTypes withClasses(Class<?>... added) {
        return new JobTypes(and(classes, List.of(added)), namings, upcasts);
    }

    /** Adds all that these have. */
    public JobTypes with(JobTypes others) {
        return new JobTypes(and(classes, others.classes), and(namings, others.namings), and(upcasts, others.upcasts));
    }

    /**
     * Names a class that cannot be annotated.
     *
     * @param name     as {@link JobType#value}
     * @param formerly as {@link JobType#formerly}
     */
    public JobTypes withName(Class<?> type, String name, String... formerly) {
        return new JobTypes(classes, and(namings, List.of(new Naming(type, null, name, List.of(formerly)))), upcasts);
    }

    /**
     * Names a method of a class that cannot be annotated.
     *
     * @param method   name and parameter types, as in {@code "generate(long)"}
     * @param name     as {@link JobType#value}
     * @param formerly as {@link JobType#formerly}
     */
    public JobTypes withMethodName(Class<?> type, String method, String name, String... formerly) {
        return new JobTypes(classes, and(namings, List.of(new Naming(type, method, name, List.of(formerly)))), upcasts);
    }

    /**
     * Changes requests that were stored under a former name into the shape that they had under the next one, or have now:
     * each change leads from one name in {@link JobType#formerly} to the name after it, and they are done one after the
     * other. It is done where the job runs; what is stored stays as it is. If it throws, the job is parked.
     *
     * @param formerly one of the former names
     * @param change   gets and returns the JSON object: text, {@link Long}, {@link java.math.BigInteger}, {@link
     *                 java.math.BigDecimal}, {@link Boolean}, null, maps and lists. It may change them
     */
    public JobTypes withUpcast(
            Class<? extends JobRequest<?>> request,
            String formerly,
            UnaryOperator<Map<String, @Nullable Object>> change) {
        return with(new Upcast(request, false, formerly, json -> change.apply(object(json, "a JSON object"))));
    }

    /**
     * Changes the arguments of calls that were stored under a former name of a method, as {@link #withUpcast} does.
     *
     * @param formerly one of the former names of the method, as they are listed
     * @param change   gets and returns the JSON array of the arguments
     */
    public JobTypes withCallUpcast(Class<?> type, String formerly, UnaryOperator<List<@Nullable Object>> change) {
        return with(new Upcast(type, true, formerly, json -> change.apply(object(json, "a JSON array"))));
    }

    private JobTypes with(Upcast upcast) {
        return new JobTypes(classes, namings, and(upcasts, List.of(upcast)));
    }

    @SuppressWarnings("unchecked")
    private static <T> T object(Object json, String what) {
        boolean fits = what.equals("a JSON object") ? json instanceof Map : json instanceof List;
        if (!fits) {
            throw new IllegalStateException("what is stored is not " + what);
        }
        return (T) json;
    }

    private static <T> List<T> and(List<T> some, List<? extends T> more) {
        List<T> all = new ArrayList<>(some);
        more.stream().filter(one -> !all.contains(one)).forEach(all::add);
        return List.copyOf(all);
    }

    /** The classes whose methods jobs call. */
    public List<Class<?>> classes() {
        return classes;
    }

    /** The names given. */
    public List<Naming> namings() {
        return namings;
    }

    /** The changes of stored arguments. */
    public List<Upcast> upcasts() {
        return upcasts;
    }

    /**
     * Names of a class or a method.
     *
     * @param type     the class
     * @param method   the method with its parameter types; null for the class
     * @param name     its name; empty for the usual one
     * @param formerly its former names, the oldest first
     */
    public record Naming(Class<?> type, @Nullable String method, String name, List<String> formerly) {
        /** Copies. */
        public Naming {
            formerly = List.copyOf(formerly);
        }
    }

    /**
     * A change of stored arguments.
     *
     * @param type     the class
     * @param isOfCall whether the name is one of a method of the class, and not of the class
     * @param formerly the name they were stored under
     * @param change   from a JSON tree to a JSON tree
     */
    public record Upcast(Class<?> type, boolean isOfCall, String formerly, UnaryOperator<Object> change) {}
}

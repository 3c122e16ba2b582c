package dev.treadle.payload;

import dev.treadle.job.Invocation;
import dev.treadle.job.JobTypes;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The names under which the jobs of classes and methods are stored, and the other way round. Without any name given, it
 * costs a look at an empty map. Thread-safe.
 */
public final class TypeNames {
    private final TypeNamesMaker maker;
    /** By each name that jobs may be stored under. */
    private final Map<String, KnownType> byStored = new ConcurrentHashMap<>();
    /** By binary name. */
    private final Map<String, KnownType> byType = new ConcurrentHashMap<>();

    /** Whether there is any name that is not that of a class. */
    private volatile boolean isAnyNamed;

    private final ReentrantLock learning = new ReentrantLock();
    private final ClassValue<String> requests = new ClassValue<>() {
        @Override
        protected String computeValue(Class<?> type) {
            return learn(type);
        }
    };

    private TypeNames(TypeNamesMaker maker) {
        this.maker = maker;
    }

    /** No names but those of annotated requests that are enqueued. */
    public static TypeNames none() {
        return of(JobTypes.NONE, Set.of());
    }

    /**
     * The names of these classes.
     *
     * @param given    what the application says
     * @param requests the request types with handlers
     * @throws IllegalArgumentException if two classes claim one name, or a name cannot be one
     */
    public static TypeNames of(JobTypes given, Collection<? extends Class<?>> requests) {
        TypeNames names = new TypeNames(new TypeNamesMaker(given));
        Map<String, KnownType> claimed = new HashMap<>();
        Map<String, KnownType> all = new HashMap<>();
        for (KnownType type : names.maker.all(requests)) {
            all.putIfAbsent(type.type(), type);
            type.claims().forEach(claim -> claim(claimed, claim, type));
        }
        names.byType.putAll(all);
        names.byStored.putAll(claimed);
        all.values().forEach(type -> names.byStored.putIfAbsent(type.type(), type));
        names.isAnyNamed = all.values().stream().anyMatch(KnownType::isNamed);
        return names;
    }

    private static void claim(Map<String, KnownType> claimed, String claim, KnownType type) {
        KnownType other = claimed.putIfAbsent(claim, type);
        if (other != null && !other.type().equals(type.type())) {
            throw new IllegalArgumentException(clash(claim, other, type));
        }
    }

    private static String clash(String claim, KnownType one, KnownType other) {
        if (one.name().equals(claim) && other.name().equals(claim)) {
            return "Two classes claim the name '" + claim + "', under which jobs are stored: " + one.type() + " and "
                    + other.type() + ". Change @JobType of one of them.";
        }
        KnownType now = one.name().equals(claim) ? one : other;
        KnownType before = now == one ? other : one;
        return now.name().equals(claim)
                ? "'" + claim + "' is a former name of " + before.type() + ", and the jobs of " + now.type()
                        + " are stored under it. Take it from formerly, or give " + now.type() + " another name."
                : "'" + claim + "' is a former name of two classes, " + one.type() + " and " + other.type()
                        + ". Leave it to one of them.";
    }

    /**
     * What requests of a type are stored as.
     *
     * @throws IllegalArgumentException if another class claims that name
     */
    public String of(Class<?> request) {
        return requests.get(request);
    }

    private String learn(Class<?> type) {
        learning.lock();
        try {
            KnownType known = byType.get(type.getName());
            if (known != null) {
                return known.name();
            }
            KnownType learnt = maker.known(type, false);
            for (String claim : learnt.claims()) {
                KnownType other = byStored.get(claim);
                if (other != null && !other.type().equals(learnt.type())) {
                    throw new IllegalArgumentException(clash(claim, other, learnt));
                }
            }
            if (learnt.isNamed()) {
                byType.put(learnt.type(), learnt);
                learnt.claims().forEach(claim -> byStored.put(claim, learnt));
                byStored.putIfAbsent(learnt.type(), learnt);
                isAnyNamed = true;
            }
            return learnt.name();
        } finally {
            learning.unlock();
        }
    }

    /**
     * What calls on a class are stored as.
     *
     * @throws IllegalArgumentException if it has names that servers would not find, or another class claims its name
     */
    public String ofCalled(Class<?> type) {
        if (!byType.containsKey(type.getName()) && TypeNamesMaker.isAnnotated(type)) {
            throw new IllegalArgumentException(type.getName() + " has @JobType, and this Treadle does not know it. Add"
                    + " .types(JobTypes.of(" + type.getSimpleName()
                    + ".class)) to the builder in each process that enqueues or runs its jobs.");
        }
        return of(type);
    }

    /** What a called method is stored as, for its name and parameter types. */
    public String ofMethod(Class<?> type, String text) {
        KnownType known = byType.get(type.getName());
        KnownMethod method = known == null ? null : known.methods().get(text);
        return method == null || !method.text().equals(text) ? text : method.name();
    }

    /** The binary name of the class whose jobs are stored under a name; the name itself if it is none. */
    public String typeOf(String stored) {
        KnownType known = isAnyNamed ? byStored.get(stored) : null;
        return known == null ? stored : known.type();
    }

    /** The same call by the names that the classes and methods of this process have. */
    public Invocation here(Invocation stored) {
        KnownType known = named(stored);
        if (known == null) {
            return stored;
        }
        KnownMethod method = method(known, stored.method());
        return new Invocation(known.type(), method == null ? stored.method() : method.text(), stored.arguments());
    }

    /**
     * As {@link #here}, with the arguments in the shape that they have now.
     *
     * @throws UnreadableArgumentsException if they cannot be brought into it
     */
    public Invocation hereAndNow(Invocation stored) {
        KnownType known = named(stored);
        if (known == null) {
            return stored;
        }
        KnownMethod method = method(known, stored.method());
        String arguments = stored.method() == null
                ? known.formerly().upcast(stored.type(), stored.arguments())
                : method == null ? stored.arguments() : method.formerly().upcast(stored.method(), stored.arguments());
        return new Invocation(known.type(), method == null ? stored.method() : method.text(), arguments);
    }

    /** The call under the names that it would be stored under now. */
    public Invocation renamed(Invocation stored) {
        KnownType known = named(stored);
        if (known == null) {
            return stored;
        }
        KnownMethod method = method(known, stored.method());
        return new Invocation(known.name(), method == null ? stored.method() : method.name(), stored.arguments());
    }

    /** The target that stays the same from name to name. */
    public String identity(Invocation stored) {
        KnownType known = named(stored);
        if (known == null) {
            return stored.target();
        }
        KnownMethod method = method(known, stored.method());
        return stored.method() == null
                ? known.identity()
                : known.identity() + "#" + (method == null ? stored.method() : method.identity());
    }

    /** All names that the jobs of a class or a stored name may have. */
    public Set<String> all(String type) {
        KnownType known = byStored.get(type);
        if (known == null) {
            return Set.of(type);
        }
        Set<String> all = new LinkedHashSet<>(known.claims());
        if (byStored.get(known.type()) == known) {
            all.add(known.type());
        }
        return all;
    }

    /**
     * The targets that jobs may be stored under and that are not those of the code, each with the one of the code. The
     * target of a called class stands for those of its methods that have no names of their own.
     */
    public Map<String, String> aliases() {
        Map<String, String> all = new HashMap<>();
        byStored.forEach((stored, known) -> {
            alias(all, stored, known.type());
            known.methods()
                    .forEach((claim, method) -> alias(all, stored + "#" + claim, known.type() + "#" + method.text()));
        });
        return all;
    }

    private static void alias(Map<String, String> all, String stored, String here) {
        if (!stored.equals(here)) {
            all.put(stored, here);
        }
    }

    /** Null if the class and its methods have no other names than their own. */
    private @Nullable KnownType named(Invocation stored) {
        KnownType known = isAnyNamed ? byStored.get(stored.type()) : null;
        return known == null || !known.isNamed() ? null : known;
    }

    private static @Nullable KnownMethod method(KnownType known, @Nullable String stored) {
        return stored == null ? null : known.methods().get(stored);
    }
}

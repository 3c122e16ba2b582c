package dev.treadle.capture;

import dev.treadle.job.Invocation;
import dev.treadle.job.JobRequest;
import dev.treadle.job.NotCapturableException;
import dev.treadle.payload.JsonArguments;
import dev.treadle.payload.TargetRules;
import dev.treadle.payload.TypeNames;
import dev.treadle.payload.UnwritableArgumentsException;
import java.io.Serializable;
import java.lang.invoke.SerializedLambda;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Turns lambdas, method references and requests into data. A lambda's code is read once and cached with its class, so
 * the cache is freed when the class is unloaded; its captured values are read at every capture. Thread-safe.
 */
public final class Capture {
    /** As {@link JsonArguments} writes none. */
    private static final String NO_ARGUMENTS = "[]";

    private final JsonArguments arguments;
    private final TypeNames names;
    private final RecipeMaker maker;
    private final DeclaredTraits declared = new DeclaredTraits();
    private final Loaders loaders = new Loaders();
    /** What requests of each class are stored as. */
    private final ClassValue<String> requests = new ClassValue<>() {
        @Override
        protected String computeValue(Class<?> type) {
            return seen(type);
        }
    };

    private final ClassValue<LambdaClass> known = new ClassValue<>() {
        @Override
        protected LambdaClass computeValue(Class<?> type) {
            return new LambdaClass(type);
        }
    };

    /**
     * @param arguments writes the arguments, and bounds them
     * @param rules     what a job may call; checked here so that a refused target is an error for the caller that
     *                  enqueues it
     * @param supply    what is known of the supplier of receivers
     */
    public Capture(JsonArguments arguments, TargetRules rules, Supply supply) {
        this(arguments, rules, supply, TypeNames.none());
    }

    /**
     * The same with names.
     *
     * @param names under which jobs are stored
     */
    public Capture(JsonArguments arguments, TargetRules rules, Supply supply, TypeNames names) {
        this.arguments = arguments;
        this.names = names;
        this.maker = new RecipeMaker(rules, supply, names, declared);
    }

    /** The names under which jobs are stored. */
    public TypeNames names() {
        return names;
    }

    /** What the captured types and methods declare of their jobs. */
    public DeclaredTraits declared() {
        return declared;
    }

    /** The class loader of a type whose jobs were captured here; for other types, that of this thread. */
    public ClassLoader loaderOf(String type) {
        return loaders.of(type);
    }

    /**
     * Turns a request into data.
     *
     * @throws NotCapturableException if it cannot be stored
     */
    public Invocation of(JobRequest<?> request) {
        Objects.requireNonNull(request, "The request is null: pass the request of the job to run.");
        Class<?> type = request.getClass();
        if (type.isAnonymousClass() || type.isLocalClass() || type.isHidden()) {
            throw new NotCapturableException(
                    "This job cannot be stored: the request is a " + type.getName()
                            + ", a local or anonymous class. Make it a record of its own:"
                            + " record GenerateSlip(long employeeId) implements JobRequest<Void> {}.",
                    null);
        }
        String name = requests.get(type);
        loaders.see(type.getName(), type.getClassLoader());
        try {
            return new Invocation(name, null, arguments.writeRequest(request));
        } catch (UnwritableArgumentsException e) {
            throw new NotCapturableException("This job cannot be stored: " + e.getMessage(), e);
        }
    }

    private String seen(Class<?> request) {
        try {
            String name = names.of(request);
            declared.see(name, request, null);
            return name;
        } catch (IllegalArgumentException e) {
            throw new NotCapturableException("This job cannot be stored: " + e.getMessage(), e);
        }
    }

    /**
     * Turns the one call that a lambda or method reference makes into data. Only the declared type of the receiver is
     * stored.
     *
     * @param lambda   an instance of a serializable functional interface
     * @param targeted whether its first parameter stands for the object to call, for which no value is given
     * @param given    values of its other parameters, in order
     * @throws NotCapturableException if it is anything but one call with values that can be stored
     */
    public Invocation of(Serializable lambda, boolean targeted, @Nullable Object... given) {
        Objects.requireNonNull(lambda, "The lambda is null: pass the call that the job makes.");
        try {
            LambdaClass type = known.get(lambda.getClass());
            SerializedLambda data = type.data(lambda);
            Recipe recipe = type.recipe(targeted);
            if (recipe == null) {
                recipe = maker.make(data, lambda.getClass().getClassLoader(), targeted);
                type.keep(targeted, recipe);
                loaders.see(recipe.calledType(), lambda.getClass().getClassLoader());
            }
            return recipe.invocation(data, given, arguments);
        } catch (RefusedException e) {
            throw e.atCaller();
        }
    }

    /**
     * Turns a call of a method without parameters into data.
     *
     * @throws NotCapturableException if there is no such method, or no job may call it
     */
    public Invocation of(Class<?> type, String method) {
        try {
            loaders.see(type.getName(), type.getClassLoader());
            Recipe.Stored stored = maker.named(type, method + "()");
            return new Invocation(stored.type(), stored.method(), NO_ARGUMENTS);
        } catch (RefusedException e) {
            throw e.atCaller();
        }
    }
}

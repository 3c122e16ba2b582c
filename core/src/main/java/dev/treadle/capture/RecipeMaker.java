package dev.treadle.capture;

import dev.treadle.payload.MethodName;
import dev.treadle.payload.TargetRules;
import dev.treadle.payload.TypeNames;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Optional;
import org.objectweb.asm.Type;

/** Makes the recipe of a lambda expression: reads its code once, and checks what it calls. */
final class RecipeMaker {
    private final TargetRules rules;
    private final Supply supply;
    private final TypeNames names;
    private final DeclaredTraits declared;

    RecipeMaker(TargetRules rules, Supply supply, TypeNames names, DeclaredTraits declared) {
        this.rules = rules;
        this.supply = supply;
        this.names = names;
        this.declared = declared;
    }

    Recipe make(SerializedLambda lambda, ClassLoader loader, boolean targeted) {
        Class<?> writtenIn = load(Lambdas.className(lambda.getCapturingClass()), loader);
        Lambdas.Found found = Lambdas.find(lambda, writtenIn, targeted);
        try {
            int given = Type.getArgumentCount(lambda.getFunctionalInterfaceMethodSignature()) - (targeted ? 1 : 0);
            return recipe(found, given, loader);
        } catch (RefusedException e) {
            throw e.at(found.place());
        }
    }

    private Recipe recipe(Lambdas.Found found, int given, ClassLoader loader) {
        FoundCall call = found.call();
        rules.refusal(call.owner()).ifPresent(why -> refuseTarget(call, why));
        Class<?> type = load(call.owner(), loader);
        rules.refusal(type).ifPresent(why -> refuseTarget(call, why));
        Method method = method(type, call.methodText());
        rules.inheritedRefusal(method.getDeclaringClass()).ifPresent(why -> refuseTarget(call, why));
        ReceiverCheck check = null;
        if (call.receiver() != null) {
            checkReceiver(call.receiver(), type);
            check = ReceiverCheck.of(type, call.receiver(), supply, loader);
        }
        List<Value> linked =
                call.arguments().stream().map(value -> value.linked(loader)).toList();
        return new Recipe(type, method, stored(type, method), check, linked, given, found.place());
    }

    /** What a call is stored as, and what its code declares of its jobs. */
    private Recipe.Stored stored(Class<?> type, Method method) {
        try {
            Recipe.Stored stored = new Recipe.Stored(names.ofCalled(type), names.ofMethod(type, MethodName.of(method)));
            declared.see(stored.type() + "#" + stored.method(), type, method);
            return stored;
        } catch (IllegalArgumentException e) {
            throw new RefusedException(
                    "calls " + type.getName() + "." + method.getName(), String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * What a method that is called by its name is stored as.
     *
     * @throws RefusedException if there is none, or no job may call it
     */
    Recipe.Stored named(Class<?> type, String methodText) {
        String shortText = type.getSimpleName() + "#" + methodText;
        rules.refusal(type).ifPresent(why -> refuseTarget(type.getName(), shortText, why));
        Method method = method(type, methodText);
        rules.inheritedRefusal(method.getDeclaringClass())
                .ifPresent(why -> refuseTarget(type.getName(), shortText, why));
        if (!Modifier.isStatic(method.getModifiers())) {
            mustBeSuppliable(type);
        }
        return stored(type, method);
    }

    private static Method method(Class<?> type, String methodText) {
        try {
            return MethodName.find(type, methodText);
        } catch (NoSuchMethodException e) {
            throw new RefusedException("calls what a job cannot call", e.getMessage(), e);
        }
    }

    private static void checkReceiver(Value receiver, Class<?> type) {
        if (receiver instanceof Value.Given) {
            throw new RefusedException(
                    "calls a method on the item itself, and what a job is called on is never stored",
                    "Give the item, or its id, to a service: (slips, id) -> slips.generate(id).");
        }
        mustBeSuppliable(type);
    }

    private static void mustBeSuppliable(Class<?> type) {
        unsuppliable(type).ifPresent(why -> {
            throw new RefusedException(
                    "is called on a " + type.getName() + ", which cannot be supplied when the job runs: it is " + why,
                    "What a job is called on is not stored. Call a public top-level or static nested class, and give the data as arguments.");
        });
    }

    private static Optional<String> unsuppliable(Class<?> type) {
        if (type.isRecord()) {
            return Optional.of("a record, so plain data");
        }
        if (type.isEnum()) {
            return Optional.of("an enum, so plain data");
        }
        if (type.isAnonymousClass() || type.isLocalClass() || type.isHidden()) {
            return Optional.of("a local or anonymous class");
        }
        boolean isInner = type.isMemberClass() && !Modifier.isStatic(type.getModifiers());
        if (isInner) {
            return Optional.of("an inner class that belongs to one object of "
                    + type.getEnclosingClass().getName());
        }
        return Modifier.isPrivate(type.getModifiers()) ? Optional.of("private") : Optional.empty();
    }

    private static void refuseTarget(FoundCall call, String why) {
        refuseTarget(call.owner(), call.shortText(), why);
    }

    private static void refuseTarget(String owner, String shortText, String why) {
        throw new RefusedException("calls " + shortText, "A job may not call " + owner + ": " + why + ".");
    }

    private static Class<?> load(String name, ClassLoader loader) {
        try {
            return Class.forName(name, false, loader);
        } catch (ClassNotFoundException | LinkageError e) {
            throw new RefusedException(
                    "needs the class " + name + ", which cannot be loaded (" + e + ")",
                    "Call a class that is on the class path of the process that enqueues.",
                    e);
        }
    }
}

package dev.treadle.capture;

import java.lang.invoke.SerializedLambda;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Finds the place of a method reference in the source, and the declared type of its receiver. The reference itself
 * names only the class that declares the method, which may be a superclass that cannot be supplied.
 */
final class ReferenceFinder extends ClassVisitor {
    private final SerializedLambda reference;
    private final Set<String> receivers = new LinkedHashSet<>();
    private final Set<StackTraceElement> places = new LinkedHashSet<>();
    private @Nullable String source;

    ReferenceFinder(SerializedLambda reference) {
        super(Opcodes.ASM9);
        this.reference = reference;
    }

    /** The declared type of a bound receiver, by binary name; the fallback if equal references disagree. */
    String receiver(String fallback) {
        return receivers.size() == 1 ? receivers.iterator().next() : fallback;
    }

    /** The first place that has this reference; null if none was found. */
    @Nullable
    StackTraceElement place() {
        return places.isEmpty() ? null : places.iterator().next();
    }

    @Override
    public void visitSource(@Nullable String file, @Nullable String debug) {
        source = file;
    }

    @Override
    public @Nullable MethodVisitor visitMethod(
            int access, String name, String descriptor, @Nullable String signature, String @Nullable [] thrown) {
        // the compiler repeats every reference there
        return name.equals("$deserializeLambda$") ? null : new Places(name);
    }

    private final class Places extends MethodVisitor {
        private final String method;
        private int line;

        Places(String method) {
            super(Opcodes.ASM9);
            this.method = method;
        }

        @Override
        public void visitLineNumber(int number, Label start) {
            line = number;
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
            Type[] captured = Type.getArgumentTypes(descriptor);
            if (captured.length == reference.getCapturedArgCount()
                    && arguments.length > 1
                    && arguments[1] instanceof Handle to
                    && to.getName().equals(reference.getImplMethodName())
                    && to.getDesc().equals(reference.getImplMethodSignature())) {
                places.add(Places.this.at(line));
                if (captured.length == 1) {
                    receivers.add(captured[0].getClassName());
                }
            }
        }

        private StackTraceElement at(int number) {
            return Lambdas.place(reference, method, source, number);
        }
    }
}

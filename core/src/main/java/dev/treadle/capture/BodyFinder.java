package dev.treadle.capture;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Finds the body of one lambda in its class, and its place in the source. */
final class BodyFinder extends ClassVisitor {
    private final String name;
    private final String descriptor;
    private final Supplier<LambdaReader> readers;
    private @Nullable String source;
    private @Nullable LambdaReader reader;

    BodyFinder(String name, String descriptor, Supplier<LambdaReader> readers) {
        super(Opcodes.ASM9);
        this.name = name;
        this.descriptor = descriptor;
        this.readers = readers;
    }

    /** Whether the class has a body of that name. */
    boolean isFound() {
        return reader != null;
    }

    /** The call in the body. */
    FoundCall call() {
        if (reader == null) {
            throw new RefusedException(
                    "has its body in " + name + ", which its class file does not have",
                    "Compile all classes again; they come from different builds.");
        }
        return reader.call();
    }

    /** The source file of the class; null if it was compiled without that. */
    @Nullable
    String source() {
        return source;
    }

    /** The line of the body; 0 if the class was compiled without line numbers. */
    int line() {
        return reader == null ? 0 : reader.line();
    }

    @Override
    public void visitSource(@Nullable String file, @Nullable String debug) {
        source = file;
    }

    @Override
    public @Nullable MethodVisitor visitMethod(
            int access, String found, String foundDescriptor, @Nullable String signature, String @Nullable [] thrown) {
        if (!found.equals(name) || !foundDescriptor.equals(descriptor) || !isBody(access, found)) {
            return null;
        }
        reader = readers.get();
        return reader;
    }

    /**
     * Whether a compiler has generated the method. javac sets a flag. kotlinc does not, but makes the method private
     * and gives it a name that no programmer writes.
     */
    private static boolean isBody(int access, String name) {
        boolean isSynthetic = (access & Opcodes.ACC_SYNTHETIC) != 0 && (access & Opcodes.ACC_BRIDGE) == 0;
        return isSynthetic || (access & Opcodes.ACC_PRIVATE) != 0 && name.indexOf('$') > 0;
    }
}

package dev.treadle.capture;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;

/** The byte code of a class, read through the class's loader. */
final class ClassFile {
    private ClassFile() {}

    static void read(Class<?> type, ClassVisitor visitor) {
        String path = "/" + type.getName().replace('.', '/') + ".class";
        try (InputStream in = type.getResourceAsStream(path)) {
            if (in == null) {
                throw unreadable(type, "its class file is not where its class loader has its resources", null);
            }
            new ClassReader(in.readAllBytes()).accept(visitor, ClassReader.SKIP_FRAMES);
        } catch (IOException e) {
            throw unreadable(type, "reading its class file failed with " + e, e);
        } catch (IllegalArgumentException e) {
            // ASM throws this for class files that are newer than it knows
            throw unreadable(type, e.getMessage() + " in its class file", e);
        }
    }

    private static RefusedException unreadable(Class<?> type, String why, @Nullable Exception e) {
        return new RefusedException(
                "is written in " + type.getName() + ", whose code cannot be read: " + why,
                "Enqueue a JobRequest record instead, which needs no byte code.",
                e);
    }
}

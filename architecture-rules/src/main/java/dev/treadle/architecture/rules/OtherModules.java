package dev.treadle.architecture.rules;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What the class path says about the modules of this project.
 *
 * @param path loads from the class path
 */
record OtherModules(ClassLoader path) {
    private static final String DESCRIPTOR = "module-info.class";

    /** The module that is compiled into a folder; empty if it has no descriptor. */
    static String nameOfModuleIn(Path folder) {
        Path file = folder.resolve(DESCRIPTOR);
        return Files.exists(file) ? descriptor(file.toUri()).name() : "";
    }

    /** All packages that modules on the class path export to every module, or to this one by name. */
    Set<String> exportedTo(String module) {
        Set<String> exported = new TreeSet<>();
        for (URL descriptor : resources(DESCRIPTOR)) {
            for (ModuleDescriptor.Exports export :
                    descriptor(URI.create(descriptor.toString())).exports()) {
                if (!export.isQualified() || export.targets().contains(module)) {
                    exported.add(export.source());
                }
            }
        }
        return exported;
    }

    /** Whether a package is in a module that has no descriptor, and so exports all it has. */
    boolean isOfUndescribed(String packageName) {
        String folder = packageName.replace('.', '/') + "/";
        Set<String> described = new TreeSet<>();
        for (URL descriptor : resources(DESCRIPTOR)) {
            described.add(rootOf(descriptor, DESCRIPTOR));
        }
        List<URL> places = resources(folder);
        return !places.isEmpty() && places.stream().noneMatch(place -> described.contains(rootOf(place, folder)));
    }

    private static String rootOf(URL place, String within) {
        String whole = place.toString();
        return whole.substring(0, whole.length() - within.length());
    }

    /** How many jars and folders of the class path, other than those of tests, have classes of a package. */
    long placesOf(String packageName) {
        String folder = packageName.replace('.', '/') + "/";
        return resources(folder).stream()
                .filter(place -> !place.getPath().contains("/test-classes/"))
                .filter(place -> hasClasses(place, folder))
                .count();
    }

    /** Not if it holds only further packages. */
    private static boolean hasClasses(URL place, String folder) {
        try {
            if (place.openConnection() instanceof JarURLConnection jar) {
                return jar.getJarFile().stream()
                        .anyMatch(entry -> entry.getName().matches(folder + "[^/]+\\.class"));
            }
            try (Stream<Path> files = Files.list(Path.of(URI.create(place.toString())))) {
                return files.anyMatch(file -> file.toString().endsWith(".class"));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ModuleDescriptor descriptor(URI where) {
        try (InputStream in = where.toURL().openStream()) {
            return ModuleDescriptor.read(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<URL> resources(String name) {
        try {
            return Collections.list(path.getResources(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

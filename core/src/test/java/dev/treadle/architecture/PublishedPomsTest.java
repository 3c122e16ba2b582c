package dev.treadle.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** What Maven and Gradle read of Treadle where it is a dependency. */
class PublishedPomsTest {
    private static final Path ROOT = Path.of("..");
    private static final Element PARENT = pom(ROOT);
    private static final List<Element> MODULES = Stream.of(PARENT)
            .flatMap(parent -> children(child(parent, "modules"), "module"))
            .map(module -> pom(ROOT.resolve(module.getTextContent())))
            .toList();

    private static boolean isPublished(Element module) {
        Element properties = childOrNull(module, "properties");
        return properties == null || childOrNull(properties, "maven.deploy.skip") == null;
    }

    private static Stream<Element> published() {
        return MODULES.stream().filter(PublishedPomsTest::isPublished);
    }

    @Test
    void the_bom_lists_all_that_is_published_at_one_version() {
        Element bom = pom(ROOT.resolve("bom"));
        Set<String> listed = new TreeSet<>();
        dependencies(child(bom, "dependencyManagement")).forEach(dependency -> {
            assertEquals("${project.version}", text(dependency, "version"), text(dependency, "artifactId"));
            listed.add(text(dependency, "artifactId"));
        });
        Set<String> expected = published()
                .map(module -> text(module, "artifactId"))
                .filter(artifact -> !artifact.equals("treadle-bom"))
                .collect(Collectors.toCollection(TreeSet::new));
        assertTrue(expected.size() > 10, expected::toString);
        assertEquals(expected, listed);
        assertEquals(text(PARENT, "version"), text(bom, "version"));
    }

    /** An application that imports the BOM, or has none, then gets the versions that the modules were tested with. */
    @Test
    void what_is_published_needs_only_what_is_published_in_one_version_each() {
        Set<String> names =
                published().map(module -> text(module, "artifactId")).collect(Collectors.toSet());
        for (Element module : published().toList()) {
            Element dependencies = childOrNull(module, "dependencies");
            for (Element one : dependencies == null
                    ? List.<Element>of()
                    : children(dependencies, "dependency").toList()) {
                if (!"test".equals(textOrNull(one, "scope"))) {
                    String what = text(module, "artifactId") + " needs " + text(one, "artifactId");
                    boolean isOurs = text(one, "groupId").equals("dev.treadle");
                    assertTrue(!isOurs || names.contains(text(one, "artifactId")), what);
                    String version = textOrNull(one, "version");
                    assertFalse(version != null && version.matches("[\\[(].*|LATEST|RELEASE"), what);
                }
            }
        }
    }

    @Test
    void each_published_module_says_what_it_is() {
        for (Element module : published().toList()) {
            assertTrue(text(module, "name").startsWith("Treadle"), text(module, "artifactId"));
            assertTrue(text(module, "description").endsWith("."), text(module, "artifactId"));
        }
    }

    private static Stream<Element> dependencies(Element in) {
        return children(child(in, "dependencies"), "dependency");
    }

    private static Element pom(Path module) {
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(module.resolve("pom.xml").toFile())
                    .getDocumentElement();
        } catch (IOException | SAXException | ParserConfigurationException e) {
            throw new IllegalStateException(module.toString(), e);
        }
    }

    private static Stream<Element> children(Element of, String name) {
        NodeList all = of.getChildNodes();
        List<Element> found = new ArrayList<>();
        IntStream.range(0, all.getLength()).mapToObj(all::item).forEach(node -> {
            if (node.getNodeType() == Node.ELEMENT_NODE && node.getNodeName().equals(name)) {
                found.add((Element) node);
            }
        });
        return found.stream();
    }

    private static @Nullable Element childOrNull(Element of, String name) {
        return children(of, name).findFirst().orElse(null);
    }

    private static Element child(Element of, String name) {
        return Objects.requireNonNull(childOrNull(of, name), () -> of.getNodeName() + " has no " + name);
    }

    private static String text(Element of, String name) {
        return child(of, name).getTextContent().strip();
    }

    private static @Nullable String textOrNull(Element of, String name) {
        Element found = childOrNull(of, name);
        return found == null ? null : found.getTextContent().strip();
    }
}

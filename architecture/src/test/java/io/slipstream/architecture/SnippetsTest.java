package io.slipstream.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/**
 * Each block of Java in the documents compiles; {@link Snippet} says how fragments do. A block that needs a library
 * which the project does not have is marked {@code java-fragment} and left out.
 */
class SnippetsTest {
    @Test
    void everyBlockOfJavaCompiles() throws Exception {
        List<Snippet> snippets = new ArrayList<>();
        for (Path document : SourceTree.documents()) {
            snippets.addAll(snippets(SourceTree.name(document), SourceTree.read(document)));
        }
        assertThat(snippets).isNotEmpty();
        assertThat(errors(snippets))
                .as("errors in the documents; declare what a fragment needs in a comment, as Snippet says")
                .isEmpty();
    }

    @Test
    void theCheckFindsWhatDoesNotCompile() throws Exception {
        String text = """
            # Page
            ```java
            String text = new LeftOut().toString();
            ```
            <!-- given
            Counters counters;
            -->
            ```java
            import java.util.zip.CRC32;

            record Point(int x, int y) {}

            Point point = new Point(1, 2);
            if (point.x() > point.z()) {
                counters.close();
            } else {
                new CRC32().update(1);
            }
            ```
            ```java
            package a.b;

            public class Whole {
                int number = "text";
            }
            ```
            """;
        assertThat(errors(snippets("page.md", text)))
                .satisfiesExactly(
                        error -> assertThat(error).startsWith("page.md:3 ").contains("LeftOut"),
                        error -> assertThat(error).startsWith("page.md:14 ").contains("z()"),
                        error -> assertThat(error).startsWith("page.md:24 ").contains("String"));
    }

    private static List<Snippet> snippets(String document, String text) {
        List<String> exported = SourceTree.exportedPackages();
        return Markdown.parse(text).blocks().stream()
                .filter(block -> block.info().equals("java"))
                .map(block -> Snippet.of(document, block, exported))
                .toList();
    }

    private static List<String> errors(List<Snippet> snippets) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        List<String> options = List.of(
                "-proc:none",
                "-Xlint:none",
                "-Xmaxerrs",
                "1000",
                // An error in one snippet hides none in another.
                "--should-stop=ifError=FLOW",
                "-classpath",
                System.getProperty("java.class.path"));
        JavacTask task = (JavacTask) compiler.getTask(null, null, found, options, null, snippets);
        task.analyze();
        return found.getDiagnostics().stream()
                .filter(diagnostic -> diagnostic.getKind() == Diagnostic.Kind.ERROR)
                .map(SnippetsTest::describe)
                .toList();
    }

    private static String describe(Diagnostic<? extends JavaFileObject> error) {
        String place = error.getSource() instanceof Snippet snippet ? snippet.place(error.getLineNumber()) : "";
        return place + " " + error.getMessage(Locale.ROOT);
    }
}

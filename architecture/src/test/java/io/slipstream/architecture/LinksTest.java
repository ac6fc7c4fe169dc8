package io.slipstream.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Relative links in the documents lead to files, folders and headings that are there. */
class LinksTest {
    @Test
    void everyLinkLeadsSomewhere() {
        List<String> dead = new ArrayList<>();
        for (Path document : SourceTree.documents()) {
            dead.addAll(deadLinks(SourceTree.name(document), document));
        }
        assertThat(dead).as("links to what is not there").isEmpty();
    }

    @Test
    void theCheckFindsWhatIsNotThere(@TempDir Path folder) throws Exception {
        Files.writeString(folder.resolve("other.md"), """
            # Once, *twice* and `code_names`
            ```
            # no heading
            ```
            ## Time
            ## Time
            """);
        Path document = Files.writeString(folder.resolve("page.md"), """
            # Here
            [a](other.md#once-twice-and-code_names), [b](other.md#time), [c](other.md#time-1), [d](#here), [e](.),
            [f](https://example.com/#x), `[g](code.md)`,
            [h](gone.md), [i](other.md#time-2),
            [j](#there) and [k
            on two lines](other.md#no-heading)
            """);
        assertThat(deadLinks("page.md", document))
                .containsExactly(
                        "page.md:4 gone.md",
                        "page.md:4 other.md#time-2",
                        "page.md:5 #there",
                        "page.md:6 other.md#no-heading");
    }

    private static List<String> deadLinks(String name, Path document) {
        List<String> dead = new ArrayList<>();
        for (Markdown.Link link : Markdown.parse(SourceTree.read(document)).links()) {
            if (!link.target().matches("[a-z]+:.*") && !leadsSomewhere(document, link.target())) {
                dead.add(name + ":" + link.line() + " " + link.target());
            }
        }
        return dead;
    }

    private static boolean leadsSomewhere(Path document, String target) {
        int hash = target.indexOf('#');
        String path = hash < 0 ? target : target.substring(0, hash);
        Path file = path.isEmpty() ? document : document.resolveSibling(path);
        if (hash < 0 || !file.toString().endsWith(".md")) {
            return Files.exists(file);
        }
        return Files.isRegularFile(file)
                && Markdown.parse(SourceTree.read(file)).anchors().contains(target.substring(hash + 1));
    }
}

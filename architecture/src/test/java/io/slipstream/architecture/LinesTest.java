package io.slipstream.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Java lines have at most 120 characters, so that two files fit beside each other; those of documents 100. */
class LinesTest {
    private static final int LONGEST = 120;
    private static final int LONGEST_OF_TEXT = 100;

    /** What is better not broken: code and links. */
    private static final Pattern WHOLE = Pattern.compile("`[^`]*`|\\[[^]]*]\\([^)]*\\)");

    @ParameterizedTest(name = "{0}")
    @MethodSource("modules")
    void noLineIsTooLong(String module) {
        List<String> tooLong = new ArrayList<>();
        for (Path file : SourceTree.javaFiles(module + "/src")) {
            tooLong.addAll(tooLong(SourceTree.name(file), SourceTree.read(file)));
        }
        assertThat(tooLong)
                .as("lines of more than %s characters; wrap them", LONGEST)
                .isEmpty();
    }

    @Test
    void theCheckFindsALongLine() {
        String text = "x\n" + "y".repeat(LONGEST) + "\n" + "z".repeat(LONGEST + 1) + "\n";
        assertThat(tooLong("File.java", text)).containsExactly("File.java:3 has 121 characters");
    }

    @Test
    void noLineOfADocumentIsTooLong() {
        List<String> tooLong = new ArrayList<>();
        for (Path document : SourceTree.documents()) {
            tooLong.addAll(tooLongInText(SourceTree.name(document), SourceTree.read(document)));
        }
        assertThat(tooLong)
                .as("lines of more than %s characters; wrap them", LONGEST_OF_TEXT)
                .isEmpty();
    }

    @Test
    void theCheckFindsALongLineInADocument() {
        String words = "word ".repeat(LONGEST_OF_TEXT / 5) + "more";
        String text = String.join(
                "\n",
                words,
                "| " + words + " |",
                "```",
                words,
                "```",
                "    " + words,
                "<!-- " + words,
                words + " -->",
                "`" + words + "`",
                "- a " + words);
        assertThat(tooLongInText("page.md", text))
                .containsExactly("page.md:1 has 104 characters", "page.md:10 has 108 characters");
    }

    static Stream<String> modules() {
        return SourceTree.modules().stream();
    }

    private static List<String> tooLong(String name, String text) {
        List<String> found = new ArrayList<>();
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            int length = lines.get(i).length();
            if (length > LONGEST) {
                found.add(name + ":" + (i + 1) + " has " + length + " characters");
            }
        }
        return found;
    }

    private static List<String> tooLongInText(String name, String text) {
        List<String> found = new ArrayList<>();
        List<String> lines = text.lines().toList();
        boolean isCode = false;
        boolean isComment = false;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            boolean isFence = line.strip().startsWith("```");
            isCode ^= isFence;
            isComment |= line.startsWith("<!--");
            boolean isTable = line.strip().startsWith("|");
            boolean isText = !isCode && !isFence && !isComment && !isTable && !line.startsWith("    ");
            if (isText && line.length() > LONGEST_OF_TEXT && canBeWrapped(line)) {
                found.add(name + ":" + (i + 1) + " has " + line.length() + " characters");
            }
            isComment &= !line.contains("-->");
        }
        return found;
    }

    private static boolean canBeWrapped(String line) {
        String words = WHOLE.matcher(line.strip()).replaceAll("x");
        return words.substring(words.startsWith("- ") ? 2 : 0).contains(" ");
    }
}

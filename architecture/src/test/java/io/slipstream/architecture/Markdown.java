package io.slipstream.architecture;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A document in Markdown.
 *
 * @param blocks its fenced blocks, in order
 * @param prose its text with as many lines as the document, in which blocks and code are blank
 * @param anchors what a link may name behind {@code #}: GitHub's names of the headings
 */
record Markdown(List<Block> blocks, String prose, Set<String> anchors) {
    private static final Pattern HEADING = Pattern.compile("#{1,6}\\s+(.*?)\\s*#*");
    private static final Pattern LINK = Pattern.compile("\\[([^\\]]*)]\\([^)]*\\)");
    private static final Pattern CODE = Pattern.compile("`[^`\n]*`");
    private static final Pattern TARGET = Pattern.compile("]\\(<?([^)\\s>]+)>?(?:\\s+\"[^\"]*\")?\\)");
    private static final String COMMENT = "<!--";
    private static final String COMMENT_END = "-->";

    /**
     * A fenced block.
     *
     * @param info what stands behind the fence, such as {@code java}
     * @param line the number of the first line of its text
     * @param comment the HTML comment before it, or the empty text
     */
    record Block(String info, int line, String comment, String text) {}

    /** A link, with the number of its line. */
    record Link(int line, String target) {}

    static Markdown parse(String text) {
        return new Parser().parse(text);
    }

    /** The targets of all links and images. */
    List<Link> links() {
        List<Link> links = new ArrayList<>();
        Matcher matcher = TARGET.matcher(prose);
        while (matcher.find()) {
            int line = 1
                    + (int) prose.substring(0, matcher.start())
                            .chars()
                            .filter(c -> c == '\n')
                            .count();
            links.add(new Link(line, matcher.group(1)));
        }
        return links;
    }

    private static final class Parser {
        private final List<Block> blocks = new ArrayList<>();
        private final StringBuilder prose = new StringBuilder();
        private final Set<String> anchors = new HashSet<>();
        private final Map<String, Integer> timesSeen = new HashMap<>();
        private String comment = "";

        Markdown parse(String text) {
            List<String> lines = text.lines().toList();
            for (int at = 0; at < lines.size(); at++) {
                String line = lines.get(at);
                int end;
                if (line.strip().startsWith("```")) {
                    end = block(lines, at);
                } else if (line.startsWith(COMMENT)) {
                    end = comment(lines, at);
                } else {
                    end = at;
                    prose(line);
                }
                prose.append("\n".repeat(end - at + 1));
                at = end;
            }
            return new Markdown(blocks, prose.toString(), anchors);
        }

        private void prose(String line) {
            if (!line.isBlank()) {
                comment = "";
            }
            Matcher heading = HEADING.matcher(line);
            if (heading.matches()) {
                String anchor = anchor(heading.group(1));
                int times = timesSeen.merge(anchor, 1, Integer::sum);
                anchors.add(times == 1 ? anchor : anchor + "-" + (times - 1));
            }
            prose.append(CODE.matcher(line).replaceAll(""));
        }

        /** Returns the last line of the block that begins at a line. */
        private int block(List<String> lines, int begin) {
            String opening = lines.get(begin).strip();
            String fence = opening.replaceAll("[^`].*", "");
            int end = begin + 1;
            while (end < lines.size() && !lines.get(end).strip().equals(fence)) {
                end++;
            }
            String text = String.join("\n", lines.subList(begin + 1, Math.min(end, lines.size())));
            blocks.add(new Block(opening.substring(fence.length()).strip(), begin + 2, comment, text));
            comment = "";
            return end;
        }

        private int comment(List<String> lines, int begin) {
            int end = begin;
            while (end < lines.size() - 1 && !lines.get(end).contains(COMMENT_END)) {
                end++;
            }
            comment = String.join("\n", lines.subList(begin, end + 1))
                    .replace(COMMENT, "")
                    .replace(COMMENT_END, "");
            return end;
        }

        private static String anchor(String heading) {
            String text = LINK.matcher(heading).replaceAll("$1").toLowerCase(Locale.ROOT);
            return text.replaceAll("[^\\p{L}\\p{N}_\\- ]", "").replace(' ', '-');
        }
    }
}

package io.slipstream.architecture;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.tools.SimpleJavaFileObject;

/**
 * A Java block of a document, as a source file for the compiler. A whole compilation unit stays as it is. Of a
 * fragment, the imports go to the top of a file, types, methods and modified fields into a class, and the rest into a
 * method.
 *
 * <p>A fragment sees all exported packages of the project and all of {@code java.base} without imports. What else it
 * needs is in an HTML comment before the block, which readers do not see: imports and members of the class.
 *
 * <pre>{@code
 * <!-- given
 * ServiceConfig config;
 * -->
 * }</pre>
 */
final class Snippet extends SimpleJavaFileObject {
    private static final String GIVEN = "given";
    private static final Pattern TYPE = Pattern.compile(
            "(?s)(?:@\\w+(?:\\([^)]*\\))?\\s+|\\w+\\s+)*(?:class|record|interface|@interface|enum)\\s+\\w+.*");
    private static final Pattern MEMBER = Pattern.compile(
            "(?s)(?:@\\w+|static|public|private|protected|final)\\b.*|(?!new |return |else )[\\w.<>\\[\\], ?]+"
                    + " \\w+\\([^;={]*\\)(?:\\s*throws [\\w., ]+)?\\s*\\{.*");

    private final String document;
    private final StringBuilder source = new StringBuilder();
    private final List<Integer> documentLines = new ArrayList<>();

    private Snippet(String document, Markdown.Block block) {
        super(URI.create("string:///" + packageName(document, block) + ".java"), Kind.SOURCE);
        this.document = document;
    }

    static Snippet of(String document, Markdown.Block block, List<String> exported) {
        Snippet snippet = new Snippet(document, block);
        String packageName = packageName(document, block);
        List<Chunk> chunks = Chunk.of(block.text(), block.line());
        if (isWhole(chunks)) {
            snippet.whole(packageName, block, chunks);
        } else {
            snippet.fragment(packageName, block, chunks, exported);
        }
        return snippet;
    }

    /** A unit begins with its package or imports, and has types only, or a main method among other members. */
    private static boolean isWhole(List<Chunk> chunks) {
        return !chunks.isEmpty()
                && chunks.getFirst().isImport()
                && (chunks.stream().allMatch(chunk -> chunk.isImport() || chunk.isType())
                        || chunks.stream().anyMatch(Chunk::isMain));
    }

    private void whole(String packageName, Markdown.Block block, List<Chunk> chunks) {
        boolean needsPackage =
                !block.text().startsWith("package ") && chunks.stream().noneMatch(Chunk::isMain);
        add((needsPackage ? "package " + packageName + "; " : "") + block.text(), block.line());
    }

    private void fragment(String packageName, Markdown.Block block, List<Chunk> chunks, List<String> exported) {
        List<Chunk> given = given(block);
        add("package " + packageName + ";", 0);
        add("import module java.base;", 0);
        for (String name : exported) {
            add("import " + name + ".*;", 0);
        }
        given.stream().filter(Chunk::isImport).forEach(this::add);
        chunks.stream().filter(Chunk::isImport).forEach(this::add);
        add("class Snippet {", 0);
        given.stream().filter(chunk -> !chunk.isImport()).forEach(this::add);
        chunks.stream().filter(Chunk::isMember).forEach(this::add);
        add("void snippet() throws Exception {", 0);
        chunks.stream().filter(chunk -> !chunk.isImport() && !chunk.isMember()).forEach(this::add);
        add("}\n}", 0);
    }

    private static List<Chunk> given(Markdown.Block block) {
        String comment = block.comment().strip();
        int line = block.line() - 2 - (int) comment.lines().count();
        return comment.startsWith(GIVEN) ? Chunk.of(comment.substring(GIVEN.length()), line) : List.of();
    }

    private static String packageName(String document, Markdown.Block block) {
        return document.replaceAll("\\W", "_") + "_" + block.line();
    }

    private void add(Chunk chunk) {
        add(chunk.text(), chunk.line());
    }

    private void add(String text, int line) {
        source.append(text).append('\n');
        int lines = (int) text.chars().filter(c -> c == '\n').count() + 1;
        for (int i = 0; i < lines; i++) {
            documentLines.add(line + i);
        }
    }

    /** The place in the document of a line of the source: file and line. */
    String place(long line) {
        return document + ":" + (line < 1 ? 0 : documentLines.get((int) line - 1));
    }

    /** Documents show a public type, too, without a file of its name. */
    @Override
    public boolean isNameCompatible(String simpleName, Kind kind) {
        return true;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return source;
    }

    /** A piece of a block that ends where all brackets are closed: an import, a member or a statement. */
    private record Chunk(String text, int line) {
        static List<Chunk> of(String text, int firstLine) {
            List<Chunk> chunks = new ArrayList<>();
            StringBuilder open = new StringBuilder();
            int depth = 0;
            int begin = firstLine;
            int at = firstLine;
            for (String line : text.lines().toList()) {
                String code = code(line);
                if (open.isEmpty()) {
                    begin = at;
                }
                if (!open.isEmpty() || !code.isEmpty()) {
                    open.append(line).append('\n');
                }
                at++;
                depth += depth(code);
                if (depth == 0 && (code.endsWith(";") || code.endsWith("}"))) {
                    chunks.add(new Chunk(open.toString().stripTrailing(), begin));
                    open.setLength(0);
                }
            }
            if (!open.isEmpty()) {
                chunks.add(new Chunk(open.toString(), begin));
            }
            return chunks;
        }

        boolean isImport() {
            return text.startsWith("import ") || text.startsWith("package ");
        }

        boolean isType() {
            return TYPE.matcher(text).matches();
        }

        boolean isMember() {
            return !isImport() && (isType() || MEMBER.matcher(text).matches());
        }

        boolean isMain() {
            return text.startsWith("void main(");
        }

        /** The line without texts, comments and blanks around it. */
        private static String code(String line) {
            String code = line.replaceAll("\"(?:[^\"\\\\]|\\\\.)*\"", "\"\"")
                    .replaceAll("'(?:[^'\\\\]|\\\\.)'", "' '")
                    .replaceAll("//.*", "")
                    .strip();
            return code.startsWith("/*") || code.startsWith("*") ? "" : code;
        }

        private static int depth(String code) {
            int depth = 0;
            for (int i = 0; i < code.length(); i++) {
                depth += "({[".indexOf(code.charAt(i)) >= 0 ? 1 : 0;
                depth -= ")}]".indexOf(code.charAt(i)) >= 0 ? 1 : 0;
            }
            return depth;
        }
    }
}

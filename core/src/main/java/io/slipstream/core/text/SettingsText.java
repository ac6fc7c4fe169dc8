package io.slipstream.core.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads the files that people write, with any editor: some begin with a byte order mark, which means nothing. */
public final class SettingsText {
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private SettingsText() {}

    /**
     * Returns the text of a file in UTF-8, without a byte order mark; any thread.
     *
     * @throws java.nio.charset.CharacterCodingException if it is not in UTF-8
     * @throws IOException                               if it cannot be read
     */
    public static String read(Path file) throws IOException {
        String text = Files.readString(file);
        return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
    }

    /** Returns the first line of a file, without spaces around it, as a secret stands there. */
    public static String firstLine(Path file) throws IOException {
        return read(file).lines().findFirst().orElse("").strip();
    }
}

package io.slipstream.core.text;

import java.util.regex.Pattern;

/** A word of a command that somebody copies out of a message into a shell. */
public final class ShellWord {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./][A-Za-z0-9_@%+=:,./-]*");

    private ShellWord() {}

    /** Returns the text of {@code value} as one word of a POSIX shell: in single quotes if it needs them. */
    public static String of(Object value) {
        String text = value.toString();
        return PLAIN.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
    }
}

package io.slipstream.cli.console;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads a path, which is not empty, and says what to do if its letters do not exist in the locale of this process.
 */
public final class PathConverter implements ITypeConverter<Path> {
    /** Creates a converter. */
    public PathConverter() {}

    @Override
    public Path convert(String text) {
        if (text.isBlank()) {
            // An unset variable of a script would else mean the working directory.
            throw new TypeConversionException("a path is missing; use . for the working directory");
        }
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            boolean isAscii = text.chars().allMatch(letter -> letter < 128);
            throw new TypeConversionException("'" + text + "' is no path: " + e.getReason()
                    + (isAscii
                            ? ""
                            : ". Its letters do not exist in the encoding of file names of this process, "
                                    + System.getProperty("sun.jnu.encoding") + "; start it with LC_ALL=C.UTF-8"));
        }
    }
}

package io.slipstream.cli.console;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a path, and says what to do if its letters do not exist in the locale of this process. */
public final class PathConverter implements ITypeConverter<Path> {
    /** Creates a converter. */
    public PathConverter() {}

    @Override
    public Path convert(String text) {
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

package io.slipstream.cli.console;

import java.io.IOException;
import java.util.concurrent.ExecutionException;

/** Says why a service has ended that a command runs. */
public final class Ended {
    private Ended() {}

    /** Returns the error that a command ends with when {@code what} has ended by itself. */
    public static IOException by(String what, ExecutionException failure) {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        return new IOException(what + " has stopped: " + reason(cause), cause);
    }

    private static String reason(Throwable cause) {
        if (cause instanceof OutOfMemoryError) {
            return cause + ". Give the JVM more, as by SLIPSTREAM_JAVA_OPTIONS=-Xmx4g, or the service less to keep";
        }
        // What is wrong in code says it by its type more than by its message.
        boolean isOfJava = cause.getClass().getPackageName().equals("java.lang");
        return isOfJava || cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }
}

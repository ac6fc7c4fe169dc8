package io.slipstream.journal.segment;

import java.io.IOException;
import java.nio.file.AccessDeniedException;

/** What the operating system denies before it has done anything, so that it may be tried again; any thread. */
public final class Denial {
    private Denial() {}

    /** Returns whether opening, renaming or removing a file has failed so. What is known of the device still holds. */
    public static boolean is(IOException thrown) {
        return isOfPermission(thrown) || isOfTooMany(thrown);
    }

    /** Returns what helps; for anything else, what most often does. */
    public static String remedy(IOException thrown) {
        if (isOfPermission(thrown)) {
            return "check the owner and the permissions of the folder";
        }
        return isOfTooMany(thrown)
                ? "let the process open more files (`ulimit -n`), or close some"
                : "if the device is full, free some space";
    }

    private static boolean isOfPermission(IOException thrown) {
        return thrown instanceof AccessDeniedException || says(thrown, "Operation not permitted");
    }

    private static boolean isOfTooMany(IOException thrown) {
        return says(thrown, "Too many open files");
    }

    private static boolean says(IOException thrown, String text) {
        return String.valueOf(thrown.getMessage()).contains(text);
    }
}

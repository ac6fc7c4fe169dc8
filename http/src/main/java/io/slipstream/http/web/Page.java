package io.slipstream.http.web;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A document that is fetched.
 *
 * @param isOpen  whether it needs no token
 * @param varies  whether it has several forms, of which a client gets the one that it accepts
 * @param content makes it, in the form for a client that sends this header {@code Accept}, or null for none
 */
public record Page(boolean isOpen, boolean varies, Function<@Nullable String, Content> content) {
    /** Creates a document with one form. */
    public Page(boolean isOpen, Supplier<Content> content) {
        this(isOpen, false, _ -> content.get());
    }

    /** Returns a file of a page, whose media type is that of its name. */
    public static Page file(String name, byte[] bytes) {
        String type = name.endsWith(".html") ? "text/html" : name.endsWith(".css") ? "text/css" : "text/javascript";
        Content content = new Content(type + "; charset=utf-8", 200, bytes);
        return new Page(false, () -> content);
    }

    /** Returns the file of that name that lies beside a class of this module. */
    public static Page beside(Class<?> owner, String name) {
        try (InputStream in = owner.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is missing in the module io.slipstream.http");
            }
            return file(name, in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * A document as it is now.
     *
     * @param mediaType of the document
     * @param status    of the answer: 200 or, for a document that says that something is wrong, another one
     * @param bytes     of the document
     */
    public record Content(String mediaType, int status, byte[] bytes) {
        /** Returns a document in JSON. */
        public static Content json(int status, byte[] bytes) {
            return new Content("application/json", status, bytes);
        }
    }
}

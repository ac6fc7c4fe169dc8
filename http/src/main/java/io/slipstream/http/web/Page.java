package io.slipstream.http.web;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A document that is fetched.
 *
 * @param mediaType of it
 * @param isOpen    whether it needs no token
 * @param content   makes it; the status is 200 or, for a document that says that something is wrong, another one
 * @param other     the same in another form, for those who accept its type by name; null if there is one form
 */
public record Page(
        String mediaType,
        boolean isOpen,
        Supplier<Content> content,
        @Nullable Page other) {
    /** Creates a document with one form. */
    public Page(String mediaType, boolean isOpen, Supplier<Content> content) {
        this(mediaType, isOpen, content, null);
    }

    /** Returns a file of a page, whose media type is that of its name. */
    public static Page file(String name, byte[] bytes) {
        String type = name.endsWith(".html") ? "text/html" : name.endsWith(".css") ? "text/css" : "text/javascript";
        return new Page(type + "; charset=utf-8", false, () -> new Content(200, bytes));
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

    /** Returns the form for a client, by what it accepts. */
    Page acceptedBy(@Nullable String accept) {
        return other != null && accept != null && accept.contains(typeOf(other.mediaType)) ? other : this;
    }

    private static String typeOf(String mediaType) {
        int parameters = mediaType.indexOf(';');
        return parameters < 0 ? mediaType : mediaType.substring(0, parameters);
    }

    /**
     * A document as it is now.
     *
     * @param status of the answer
     * @param bytes  of the document
     */
    public record Content(int status, byte[] bytes) {}
}

package io.slipstream.http.web;

import org.jspecify.annotations.Nullable;

import java.util.function.Supplier;

/**
 * A document that is fetched.
 *
 * @param mediaType of it
 * @param isOpen    whether it needs no token
 * @param content   makes it; the status is 200 or, for a document that says that something is wrong, another one
 * @param other     the same in another form, for those who accept its type by name; null if there is one form
 */
public record Page(String mediaType, boolean isOpen, Supplier<Content> content, @Nullable Page other) {
    /** Creates a document with one form. */
    public Page(String mediaType, boolean isOpen, Supplier<Content> content) {
        this(mediaType, isOpen, content, null);
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
    public record Content(int status, byte[] bytes) {
    }
}

package io.slipstream.http.web;

import java.util.function.Supplier;

/**
 * A document that is fetched.
 *
 * @param mediaType of it
 * @param isOpen    whether it needs no token
 * @param content   makes it; the status is 200 or, for a document that says that something is wrong, another one
 */
public record Page(String mediaType, boolean isOpen, Supplier<Content> content) {
    /**
     * A document as it is now.
     *
     * @param status of the answer
     * @param bytes  of the document
     */
    public record Content(int status, byte[] bytes) {
    }
}

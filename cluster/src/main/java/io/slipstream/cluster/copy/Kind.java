package io.slipstream.cluster.copy;

/** What the messages of a copy are. */
final class Kind {
    /** A {@link Manifest}; the first one. */
    static final byte MANIFEST = 'M';

    /** The next bytes of the files, one file after the other; a message has bytes of one file alone. */
    static final byte BYTES = 'B';

    /** Why there is no copy, or why it ends here. */
    static final byte REFUSED = 'R';

    private Kind() {}
}

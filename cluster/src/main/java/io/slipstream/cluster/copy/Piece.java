package io.slipstream.cluster.copy;

/**
 * A file of a recording in a copy.
 *
 * @param recording number of the recording
 * @param segment   position at which the file begins
 * @param bytes     how many of its bytes are copied, from the first one on
 * @param length    of the file; what is not copied is zero
 */
record Piece(long recording, long segment, int bytes, int length) {
    Piece {
        if (recording < 0 || segment < 0 || bytes < 0 || bytes > length) {
            throw new IllegalArgumentException("no file of a recording: " + recording + "-" + segment + " with " + bytes
                    + " of " + length + " bytes");
        }
    }

    String name() {
        return recording + "-" + segment + ".rec";
    }
}

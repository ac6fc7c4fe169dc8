package io.slipstream.cluster.log;

/** The log knows a later life of this member's gateway than the one that runs. */
public final class LaterLifeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final long life;

    LaterLifeException(int member, long life) {
        super("another process has joined the cluster as member " + member + " after this one, and each member is one"
                + " process: end one of them. If there is no other, the folder of this member was lost, and the clock"
                + " of its machine is behind that of the former one: then start it again");
        this.life = life;
    }

    /** Returns the number of the later life. */
    public long life() {
        return life;
    }
}

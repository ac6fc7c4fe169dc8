package io.slipstream.cluster.config;

/**
 * Where a member is. It uses the block of {@value #PORTS} ports that begins at {@code port}: clients come to the first
 * one over TCP, the others are for the members among themselves, over UDP, but for the last one.
 *
 * @param id   from 0 on
 * @param host that the other members and the clients reach it at
 * @param port the first of its ports
 */
public record MemberAddress(int id, String host, int port) {
    /** How many ports a member uses. */
    public static final int PORTS = 7;

    /** Checks the values. */
    public MemberAddress {
        if (id < 0 || host.isBlank() || port < 1 || port > 65_536 - PORTS) {
            throw new IllegalArgumentException("a member has an id from 0 on, a host, and a port from 1 to "
                    + (65_536 - PORTS) + ", not " + id + " = " + host + ":" + port);
        }
    }

    /** Returns where clients come. */
    public String clients() {
        return host + ":" + port;
    }

    /** Returns where others read this member's archive. */
    public String archive() {
        return at(1);
    }

    /** Returns where commands come to the leader. */
    public String ingress() {
        return at(2);
    }

    /** Returns where members agree on a leader, and on what is committed. */
    public String consensus() {
        return at(3);
    }

    /** Returns where the leader's log comes. */
    public String log() {
        return at(4);
    }

    /** Returns where a member gets the log that it has missed. */
    public String catchUp() {
        return at(5);
    }

    /** Returns the port where operators ask and command this member, over TCP. */
    public int controlPort() {
        return port + 6;
    }

    /** Returns whether a port is one of its block. */
    public boolean hasPort(int of) {
        return of >= port && of < port + PORTS;
    }

    private String at(int offset) {
        return host + ":" + (port + offset);
    }
}

package io.slipstream.keyvalue.resp;

import io.slipstream.service.protocol.MessageType;

/**
 * What a client must be allowed to do for each command, after Redis' categories. The rights are those of an access
 * file; {@code NONE} is for all that have logged in.
 *
 * <pre>
 *   NONE        about the own connection or transaction; what is in a transaction is checked on its own
 *   QUERY       reads keys, settings or the list of clients, whether or not it is in the log
 *   SUBSCRIBE   listens
 *   COMMAND     changes keys or settings, publishes, or acts on other clients
 * </pre>
 */
enum Right {
    NONE(MessageType.STATUS),
    QUERY(MessageType.QUERY),
    SUBSCRIBE(MessageType.SUBSCRIBE),
    COMMAND(MessageType.COMMAND);

    private final short type;

    Right(short type) {
        this.type = type;
    }

    /** Returns the type of the messages of the native protocol that need this right. */
    short type() {
        return type;
    }

    /** Returns the right that a command needs; word 1 is its subcommand, if it has some. */
    static Right of(RedisCommand command, Words words) {
        return switch (command) {
            case CLIENT -> words.is(1, "KILL") || words.is(1, "UNBLOCK") ? COMMAND : words.is(1, "LIST") ? QUERY : NONE;
            case CONFIG -> words.is(1, "GET") ? QUERY : COMMAND;
            case AUTH, COMMAND, ECHO, HELLO, PING, QUIT, RESET, SELECT, WAIT -> NONE;
            case MULTI, EXEC, DISCARD, WATCH, UNWATCH -> NONE;
            case SUBSCRIBE, PSUBSCRIBE -> SUBSCRIBE;
            case UNSUBSCRIBE, PUNSUBSCRIBE -> NONE;
            // In the log for the time or the dice, and yet they change nothing.
            case RANDOMKEY, SRANDMEMBER, HRANDFIELD, ZRANDMEMBER, TIME -> QUERY;
            case SLOWLOG -> words.is(1, "RESET") ? COMMAND : QUERY;
            case LATENCY -> QUERY;
            case DEBUG, FUNCTION -> COMMAND;
            default -> command.kind() == RedisCommand.Kind.READ ? QUERY : COMMAND;
        };
    }
}

package io.slipstream.keyvalue.resp;

import io.slipstream.service.protocol.Busy;
import io.slipstream.service.protocol.FailureCode;
import io.slipstream.service.protocol.FailureNotice;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.service.spi.Conversation;
import io.slipstream.service.spi.Requests;
import io.slipstream.service.spi.Responses;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * What is said with one Redis client. Commands that write go into the log, those that read are queries, and what is
 * about the connection alone is answered here, once all that was asked before is answered. Where there is no room, the
 * client is not read, so that it feels the pressure through TCP.
 */
final class RespConversation implements Conversation {
    private static final int DEFAULT_PROTOCOL = 2;
    private static final int MAX_QUEUED = 100_000;

    private final Words words = new Words();
    private final Reply reply = new Reply();
    private @Nullable RequestParser parser;
    private int protocol = DEFAULT_PROTOCOL;
    private long correlation;
    private String name = "";

    /* Between MULTI and EXEC: the payloads of the commands; whether one of them was wrong. */
    private @Nullable List<byte[]> queued;
    private boolean queueIsBad;

    /* A command that may wait was sent, and its answer, or the event in place of it, has not come. */
    private boolean waiting;

    /* The store knows what a client listens to, and so how a ping is to be answered. */
    private boolean mayListen;

    @Override
    public int decode(MemorySegment memory, long offset, int length, Requests requests, Responses responses) {
        if (waiting) {
            return WAIT;
        }
        if (requests.session() == 0) {
            if (!requests.isOpening()) {
                requests.open();
            }
            return WAIT;
        }
        RequestParser own = parser;
        if (own == null) {
            own = new RequestParser(requests.maxBytes());
            parser = own;
        }
        int taken;
        try {
            taken = own.parse(memory, offset, length, words);
        } catch (RedisError e) {
            if (requests.pending() > 0) {
                return WAIT;
            }
            tell(reply.begin(protocol).error(e.text()), responses);
            requests.close();
            return length;
        }
        if (taken == RequestParser.INCOMPLETE || words.count() == 0) {
            return taken;
        }
        return take(requests, responses) ? taken : WAIT;
    }

    /** Returns whether the command is dealt with; if not, it has to wait. */
    private boolean take(Requests requests, Responses responses) {
        RedisCommand command = RedisCommand.named(words, 0);
        if (command == null || !command.takes(words.count())) {
            return isRefused(command == null ? unknown() : "ERR wrong number of arguments for '" + command.text()
                    + "' command", requests, responses);
        }
        if (queued != null) {
            switch (command) {
                case EXEC, DISCARD, RESET, QUIT -> {
                    // They end it.
                }
                case MULTI, WATCH -> {
                    return isTold(requests, responses, r -> r.error("ERR " + command
                            + (command == RedisCommand.MULTI ? " calls can not be nested"
                            : " inside MULTI is not allowed")));
                }
                default -> {
                    return isQueued(command, requests, responses);
                }
            }
        }
        return switch (command) {
            case EXEC -> queued == null ? isTold(requests, responses, r -> r.error("ERR EXEC without MULTI"))
                    : isExecuted(requests, responses);
            case DISCARD -> queued == null ? isTold(requests, responses, r -> r.error("ERR DISCARD without MULTI"))
                    : isDiscarded(requests);
            case BLPOP, BRPOP -> {
                waiting = isSent(command, requests);
                yield waiting;
            }
            case SUBSCRIBE, PSUBSCRIBE -> {
                mayListen = true;
                yield isSent(command, requests);
            }
            case RESET -> {
                forgetQueue();
                protocol = DEFAULT_PROTOCOL;
                name = "";
                yield isSent(command, requests);
            }
            case PING -> mayListen && words.count() <= 2 ? isSent(command, requests)
                    : isAnsweredHere(command, requests, responses);
            default -> command.kind() == RedisCommand.Kind.LOCAL ? isAnsweredHere(command, requests, responses)
                    : isSent(command, requests);
        };
    }

    private String unknown() {
        StringBuilder text = new StringBuilder("ERR unknown command '").append(cut(words.text(0)))
                .append("', with args beginning with: ");
        for (int i = 1; i < words.count() && text.length() < 128; i++) {
            text.append('\'').append(cut(words.text(i))).append("' ");
        }
        return text.toString();
    }

    private static String cut(String text) {
        return text.length() > 128 ? text.substring(0, 128) : text;
    }

    private boolean isRefused(String error, Requests requests, Responses responses) {
        boolean told = isTold(requests, responses, r -> r.error(error));
        queueIsBad |= told && queued != null;
        return told;
    }

    /** Says something of our own, in its turn: once all that was asked before is answered. */
    private boolean isTold(Requests requests, Responses responses, Consumer<Reply> what) {
        if (requests.pending() > 0) {
            return false;
        }
        what.accept(reply.begin(protocol));
        tell(reply, responses);
        return true;
    }

    private static void tell(Reply what, Responses responses) {
        responses.write(what.memory(), 0, what.length());
    }

    private boolean isSent(RedisCommand command, Requests requests) {
        long bytes = words.payloadBytes();
        if (bytes > requests.maxPayloadLength()) {
            requests.fail(++correlation, FailureCode.TOO_LONG, "the command has " + bytes
                    + " bytes, and at most " + requests.maxPayloadLength() + " are taken");
            return true;
        }
        boolean isQuery = command.kind() != RedisCommand.Kind.WRITE;
        long at = requests.claim(isQuery ? MessageType.QUERY : MessageType.COMMAND, correlation + 1, (int) bytes);
        if (at == Requests.NO_ROOM) {
            return isEnding(requests);
        }
        correlation++;
        words.writePayload(command, protocol, isQuery ? System.currentTimeMillis() : 0, requests.memory(), at);
        requests.publish();
        return true;
    }

    private static boolean isEnding(Requests requests) {
        if (requests.isClosing()) {
            requests.close();
            return true;
        }
        return false;
    }

    private boolean isQueued(RedisCommand command, Requests requests, Responses responses) {
        List<byte[]> to = queued;
        if (to == null || requests.pending() > 0) {
            return false;
        }
        if (command.kind() == RedisCommand.Kind.LOCAL || to.size() >= MAX_QUEUED) {
            return isRefused("ERR '" + command.text() + "' is not possible within MULTI", requests, responses);
        }
        byte[] payload = new byte[(int) words.payloadBytes()];
        words.writePayload(command, protocol, 0, MemorySegment.ofArray(payload), 0);
        to.add(payload);
        return isTold(requests, responses, r -> r.simple("QUEUED"));
    }

    private boolean isExecuted(Requests requests, Responses responses) {
        List<byte[]> all = queued == null ? List.of() : queued;
        if (queueIsBad) {
            boolean told = isTold(requests, responses,
                    r -> r.error("EXECABORT Transaction discarded because of previous errors."));
            if (told) {
                forgetQueue();
            }
            return told;
        }
        int bytes = all.stream().mapToInt(payload -> payload.length).sum();
        byte[] together = new byte[bytes];
        words.begin(MemorySegment.ofArray(together));
        words.add(0, 0);
        int at = 0;
        for (byte[] payload : all) {
            System.arraycopy(payload, 0, together, at, payload.length);
            words.add(at, payload.length);
            at += payload.length;
        }
        boolean sent = isSent(RedisCommand.EXEC, requests);
        if (sent) {
            forgetQueue();
        }
        return sent;
    }

    private boolean isDiscarded(Requests requests) {
        boolean sent = isSent(RedisCommand.DISCARD, requests);
        if (sent) {
            forgetQueue();
        }
        return sent;
    }

    private void forgetQueue() {
        queued = null;
        queueIsBad = false;
    }

    private boolean isAnsweredHere(RedisCommand command, Requests requests, Responses responses) {
        if (requests.pending() > 0) {
            return false;
        }
        reply.begin(protocol);
        try {
            answer(command, requests);
        } catch (RedisError e) {
            reply.begin(protocol).error(e.text());
        }
        tell(reply, responses);
        if (command == RedisCommand.QUIT) {
            requests.close();
        }
        return true;
    }

    private void answer(RedisCommand command, Requests requests) {
        switch (command) {
            case PING -> {
                if (words.count() > 2) {
                    throw new RedisError("ERR wrong number of arguments for 'ping' command");
                }
                if (words.count() == 2) {
                    reply.bulk(words.bytes(1));
                } else {
                    reply.simple("PONG");
                }
            }
            case ECHO -> reply.bulk(words.bytes(1));
            case MULTI -> {
                queued = new ArrayList<>();
                reply.ok();
            }
            case SELECT -> {
                if (words.number(1) != 0) {
                    throw new RedisError("ERR DB index is out of range");
                }
                reply.ok();
            }
            case HELLO -> hello(requests);
            case CLIENT -> client(requests);
            case COMMAND -> commands();
            case WAIT -> {
                words.number(1);
                words.number(2);
                // There are no replicas that this store knows of.
                reply.integer(0);
            }
            case QUIT -> reply.ok();
            case AUTH -> throw new RedisError("ERR AUTH <password> called without any password configured for the "
                    + "default user. Are you sure your configuration is correct?");
            case FUNCTION -> throw new RedisError("ERR there are no functions");
            default -> throw new RedisError("ERR " + command + " command not allowed");
        }
    }

    private void hello(Requests requests) {
        int version = protocol;
        for (int i = 1; i < words.count(); i++) {
            if (i == 1) {
                long asked = words.number(1, new RedisError("ERR Protocol version is not an integer or out of range"));
                if (asked != 2 && asked != 3) {
                    throw new RedisError("NOPROTO unsupported protocol version");
                }
                version = (int) asked;
            } else if (words.is(i, "SETNAME") && i + 1 < words.count()) {
                name = words.text(++i);
            } else if (words.is(i, "AUTH")) {
                throw new RedisError("ERR HELLO AUTH called without any password configured for the default user. "
                        + "Are you sure your configuration is correct?");
            } else {
                throw new RedisError("ERR Syntax error in HELLO option '" + words.text(i) + "'");
            }
        }
        protocol = version;
        reply.begin(protocol).map(7).bulk("server").bulk("redis").bulk("version").bulk("7.0.15").bulk("proto")
                .integer(protocol).bulk("id").integer(requests.session()).bulk("mode").bulk("standalone")
                .bulk("role").bulk("master").bulk("modules").array(0);
    }

    private void client(Requests requests) {
        switch (words.text(1).toUpperCase(Locale.ROOT)) {
            case "ID" -> reply.integer(requests.session());
            case "GETNAME" -> {
                if (name.isEmpty()) {
                    reply.nothing();
                } else {
                    reply.bulk(name);
                }
            }
            case "SETNAME" -> {
                if (words.count() != 3) {
                    throw new RedisError("ERR wrong number of arguments for 'client|setname' command");
                }
                if (words.text(2).chars().anyMatch(c -> c <= ' ' || c > '~')) {
                    throw new RedisError("ERR Client names cannot contain spaces, newlines or special characters.");
                }
                name = words.text(2);
                reply.ok();
            }
            case "SETINFO", "NO-EVICT", "NO-TOUCH" -> reply.ok();
            case "INFO", "LIST" -> reply.bulk("id=" + requests.session() + " name=" + name + " db=0 resp=" + protocol
                    + "\n");
            default -> throw new RedisError("ERR unknown subcommand or wrong number of arguments for '" + words.text(1)
                    + "'. Try CLIENT HELP.");
        }
    }

    private void commands() {
        RedisCommand[] all = RedisCommand.values();
        if (words.count() == 1) {
            reply.array(all.length);
            for (RedisCommand each : all) {
                describe(each);
            }
        } else if (words.is(1, "COUNT")) {
            reply.integer(all.length);
        } else if (words.is(1, "DOCS")) {
            reply.map(0);
        } else if (words.is(1, "LIST")) {
            reply.array(all.length);
            for (RedisCommand each : all) {
                reply.bulk(each.text());
            }
        } else if (words.is(1, "INFO")) {
            reply.array(words.count() - 2);
            for (int i = 2; i < words.count(); i++) {
                RedisCommand each = RedisCommand.named(words, i);
                if (each == null) {
                    reply.noArray();
                } else {
                    describe(each);
                }
            }
        } else {
            throw new RedisError("ERR unknown subcommand or wrong number of arguments for '" + words.text(1)
                    + "'. Try COMMAND HELP.");
        }
    }

    private void describe(RedisCommand command) {
        int key = command.isKeyed() ? 1 : 0;
        reply.array(6).bulk(command.text()).integer(command.arity()).array(1)
                .simple(command.kind() == RedisCommand.Kind.WRITE ? "write" : "readonly").integer(key).integer(key)
                .integer(key);
    }

    @Override
    public void encode(MemorySegment memory, long offset, int length, Responses responses) {
        long payload = offset + Message.HEADER_BYTES;
        int bytes = length - Message.HEADER_BYTES;
        switch (Message.type(memory, offset)) {
            case MessageType.REPLY -> {
                waiting &= bytes == 0;
                responses.write(memory, payload, bytes);
            }
            case MessageType.EVENT -> {
                waiting &= memory.get(ValueLayout.JAVA_BYTE, payload) != RespProtocol.ANSWER;
                responses.write(memory, payload + 1, bytes - 1);
            }
            case MessageType.BUSY -> error("BUSY come back in " + Busy.retryAfterNanos(memory, offset) / 1_000_000
                    + " ms", responses);
            case MessageType.FAILED, MessageType.ERROR -> error("ERR " + FailureNotice.text(memory, offset), responses);
            default -> {
                // The session is open.
            }
        }
    }

    private void error(String text, Responses responses) {
        waiting = false;
        tell(reply.begin(protocol).error(text), responses);
    }
}

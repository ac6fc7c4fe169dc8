package io.slipstream.keyvalue.resp;

import io.slipstream.service.machine.Output;
import io.slipstream.service.protocol.Busy;
import io.slipstream.service.protocol.FailureNotice;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.service.spi.Conversation;
import io.slipstream.service.spi.Requests;
import io.slipstream.service.spi.Responses;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What is said with one Redis client. Commands that write go into the log, those that read are queries, and what is
 * about the connection alone is answered here, once all that was asked before is answered. Where there is no room, the
 * client is not read, so that it feels the pressure through TCP.
 */
final class RespConversation implements Conversation {
    private static final Set<RedisCommand> IN_TRANSACTIONS =
            EnumSet.of(RedisCommand.PING, RedisCommand.ECHO, RedisCommand.SELECT);
    /** Longest answer in bytes; so many are kept free for each request under way that may have such a one. */
    private static final int MAX_ANSWER = Output.MAX_LENGTH;

    private static final String ABORTED = "EXECABORT Transaction discarded because of previous errors.";
    private static final String NO_LOGIN = "NOAUTH Authentication required.";

    private final Clients clients;
    private final Client client = new Client();
    private final Words words = new Words();
    private final Reply reply = new Reply();
    private @Nullable RequestParser parser;
    private long correlation;

    /* The request that the client is blocked for, or was last. */
    private long blocking;

    /* Where a token is wanted: it was shown; the words that showed it were answered. */
    private boolean loggedIn;
    private boolean toldOfLogin;

    /* The gateway has refused the request that is being sent: what to say once it is its turn. */
    private @Nullable String refusal;
    private boolean sending;

    /* What to say to a command while the log has no room for a session. */
    private String outOfLog = "BUSY";

    /* Between MULTI and EXEC: the payloads of the commands; whether one of them was wrong. */
    private @Nullable List<byte[]> queued;
    private boolean queueIsBad;
    private long queuedBytes;

    /* Whether something may be watched; the request that ends that instead of a transaction that was wrong. */
    private boolean watches;
    private long aborting;

    /* Part of an answer was written, and the rest is to follow. */
    private boolean inPieces;

    RespConversation(Clients clients) {
        this.clients = clients;
    }

    @Override
    public int decode(MemorySegment memory, long offset, int length, Requests requests, Responses responses) {
        if (client.blocked) {
            // Earlier requests are answered soon; what the client is blocked for may never come.
            return requests.pending() > 0 ? WAIT : IDLE;
        }
        if (requests.session() == 0 && !mayParse(requests)) {
            return WAIT;
        }
        if (client.session == 0 && requests.session() != 0) {
            client.session = requests.session();
            client.remote = requests.remote().replaceFirst("^/", "");
            clients.add(client);
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
            tell(reply.begin(client.protocol).error(e.text()), responses);
            requests.close();
            return length;
        }
        if (taken == RequestParser.INCOMPLETE || words.count() == 0) {
            return taken;
        }
        if (!take(requests, responses)) {
            return WAIT;
        }
        clients.asked();
        return taken;
    }

    /** Without a session only a client is listened to that has to log in first, or can read while the log is full. */
    private static boolean mayParse(Requests requests) {
        if (requests.isOpening()) {
            return false;
        }
        if (requests.needsLogin()) {
            return true;
        }
        boolean asked = requests.pending() == 0 && requests.open();
        return !asked && requests.isOutOfLog();
    }

    /** Returns whether the command is dealt with; if not, it has to wait. */
    private boolean take(Requests requests, Responses responses) {
        if (words.is(0, "POST") || words.is(0, "HOST:")) {
            // A web page has sent a browser here; the rest of its request would be read as commands.
            if (requests.pending() > 0) {
                return false;
            }
            requests.close();
            return true;
        }
        RedisCommand command = RedisCommand.named(words, 0);
        if (command == null || !command.takes(words.count())) {
            if (isLoggedOut(requests)) {
                return isTold(requests, responses, r -> r.error(NO_LOGIN));
            }
            return isRefused(
                    command == null ? unknown() : "ERR wrong number of arguments for '" + command.text() + "' command",
                    requests,
                    responses);
        }
        if (isLoggedOut(requests)) {
            return isLogin(command, requests, responses);
        }
        client.asks(command, words);
        if (queued != null) {
            switch (command) {
                case EXEC, DISCARD, RESET, QUIT -> {
                    // They end it.
                }
                case MULTI, WATCH -> {
                    return isTold(
                            requests,
                            responses,
                            r -> r.error("ERR " + command
                                    + (command == RedisCommand.MULTI
                                            ? " calls can not be nested"
                                            : " inside MULTI is not allowed")));
                }
                default -> {
                    return isQueued(command, requests, responses);
                }
            }
        }
        return switch (command) {
            case EXEC ->
                queued == null
                        ? isTold(requests, responses, r -> r.error("ERR EXEC without MULTI"))
                        : isExecuted(requests, responses);
            case DISCARD ->
                queued == null
                        ? isTold(requests, responses, r -> r.error("ERR DISCARD without MULTI"))
                        : isDiscarded(requests, responses);
            case BLPOP, BRPOP, BLMOVE, BRPOPLPUSH, BLMPOP, BZMPOP, BZPOPMIN, BZPOPMAX ->
                isSentToWait(command, requests, responses);
            case XREAD, XREADGROUP ->
                asksToWait() ? isSentToWait(command, requests, responses) : isSent(command, requests, responses);
            case CLIENT ->
                words.is(1, "UNBLOCK")
                        ? isSent(command, MessageType.COMMAND, requests, responses)
                        : isAnsweredHere(command, requests, responses);
            case INFO -> {
                addFigures();
                yield isSent(command, requests, responses);
            }
            case SUBSCRIBE, PSUBSCRIBE -> {
                client.mayListen = true;
                yield isSent(command, requests, responses);
            }
            case WATCH -> {
                watches = true;
                yield isSent(command, requests, responses);
            }
            case RESET -> {
                forgetQueue();
                client.protocol = Client.DEFAULT_PROTOCOL;
                client.name = "";
                client.mayListen = false;
                yield isSent(command, requests, responses);
            }
            case PING ->
                client.mayListen && words.count() <= 2
                        ? isSent(command, requests, responses)
                        : isAnsweredHere(command, requests, responses);
            default ->
                command.kind() == RedisCommand.Kind.LOCAL
                        ? isAnsweredHere(command, requests, responses)
                        : isSent(command, requests, responses);
        };
    }

    /** Tells the store with the question what only the gateway knows: INFO is not in the log. */
    private void addFigures() {
        List<byte[]> all = new ArrayList<>();
        for (int i = 1; i < words.count(); i++) {
            all.add(words.bytes(i));
        }
        clients.figures().forEach(each -> all.add(each.getBytes(StandardCharsets.UTF_8)));
        byte[] together = new byte[all.stream().mapToInt(each -> each.length).sum()];
        words.begin(MemorySegment.ofArray(together));
        words.add(0, 0);
        int at = 0;
        for (byte[] each : all) {
            System.arraycopy(each, 0, together, at, each.length);
            words.add(at, each.length);
            at += each.length;
        }
    }

    /** Who waits is in the log, even who only reads: what it waits for comes with an entry of the log. */
    private boolean isSentToWait(RedisCommand command, Requests requests, Responses responses) {
        long before = correlation;
        boolean done = isSent(command, MessageType.COMMAND, requests, responses);
        client.blocked = done && correlation != before;
        blocking = correlation;
        return done;
    }

    /** Returns whether XREAD or XREADGROUP has the option BLOCK. */
    private boolean asksToWait() {
        for (int i = 1; i < words.count() && !words.is(i, "STREAMS"); i++) {
            if (words.is(i, "BLOCK")) {
                return true;
            }
            i += words.is(i, "GROUP") ? 2 : words.is(i, "COUNT") ? 1 : 0;
        }
        return false;
    }

    private static boolean isLoggedOut(Requests requests) {
        return requests.session() == 0 && !requests.isOutOfLog();
    }

    private String unknown() {
        StringBuilder text = new StringBuilder("ERR unknown command '")
                .append(cut(words.text(0)))
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
        List<byte[]> dropped = queued;
        if (told && dropped != null) {
            queueIsBad = true;
            dropped.clear();
        }
        return told;
    }

    /** Says something of our own, in its turn: once all that was asked before is answered. */
    private boolean isTold(Requests requests, Responses responses, Consumer<Reply> what) {
        if (requests.pending() > 0) {
            return false;
        }
        what.accept(reply.begin(client.protocol));
        tell(reply, responses);
        return true;
    }

    private static void tell(Reply what, Responses responses) {
        responses.write(what.memory(), 0, what.length());
    }

    private boolean isSent(RedisCommand command, Requests requests, Responses responses) {
        return isSent(
                command,
                command.kind() == RedisCommand.Kind.WRITE ? MessageType.COMMAND : MessageType.QUERY,
                requests,
                responses);
    }

    private boolean isSent(RedisCommand command, short type, Requests requests, Responses responses) {
        String refused = refusal;
        if (refused != null) {
            boolean told = isTold(requests, responses, r -> r.error(refused));
            refusal = told ? null : refused;
            return told;
        }
        if (requests.session() == 0 && type != MessageType.QUERY) {
            return isTold(requests, responses, r -> r.error(outOfLog));
        }
        if (mayAnswerLong(command) && (requests.pending() + 1L) * MAX_ANSWER > responses.room()) {
            // The client has not read enough yet of what it asked for.
            return false;
        }
        long bytes = words.payloadBytes();
        if (bytes > requests.maxPayloadLength()) {
            return isTold(
                    requests,
                    responses,
                    r -> r.error("ERR the command has " + bytes + " bytes, and at most " + requests.maxPayloadLength()
                            + " are taken"));
        }
        long at = requests.claim(type, correlation + 1, (int) bytes);
        if (at == Requests.NO_ROOM) {
            return isEnding(requests);
        }
        correlation++;
        words.writePayload(
                command,
                client.protocol,
                type == MessageType.QUERY ? System.currentTimeMillis() : 0,
                requests.memory(),
                at);
        sending = true;
        requests.publish(Right.of(command, words).type());
        sending = false;
        // What was refused is told in its turn: the same words come again until then.
        return refusal == null;
    }

    private boolean mayAnswerLong(RedisCommand command) {
        if (command == RedisCommand.SET) {
            for (int i = 3; i < words.count(); i++) {
                if (words.is(i, "GET")) {
                    return true;
                }
            }
        }
        return command.mayAnswerLong();
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
        if (command.kind() == RedisCommand.Kind.LOCAL && !IN_TRANSACTIONS.contains(command)) {
            return isRefused("ERR '" + command.text() + "' is not possible within MULTI", requests, responses);
        }
        long bytes = queuedBytes + Words.bytesAsWord(words.payloadBytes());
        if (bytes > requests.maxPayloadLength()) {
            return isRefused(
                    "ERR the transaction has more than " + requests.maxPayloadLength() + " bytes, and at most that is "
                            + "taken",
                    requests,
                    responses);
        }
        byte[] payload = new byte[(int) words.payloadBytes()];
        MemorySegment memory = MemorySegment.ofArray(payload);
        words.writePayload(command, client.protocol, 0, memory, 0);
        if (!requests.permits(Right.of(command, words).type(), memory, 0, payload.length)) {
            return isRefused(forbidden(command), requests, responses);
        }
        // One that was refused is never executed: there is no use in keeping more.
        if (!queueIsBad) {
            to.add(payload);
            queuedBytes = bytes;
        }
        client.queued = to.size();
        return isTold(requests, responses, r -> r.simple("QUEUED"));
    }

    private boolean isExecuted(Requests requests, Responses responses) {
        List<byte[]> all = queued == null ? List.of() : queued;
        if (queueIsBad) {
            return isAborted(requests, responses);
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
        boolean sent = isSent(RedisCommand.EXEC, requests, responses);
        if (sent) {
            forgetQueue();
        }
        return sent;
    }

    /** What was watched is so no more: the log is told of that, and its answer is the error. */
    private boolean isAborted(Requests requests, Responses responses) {
        boolean done;
        if (watches) {
            long before = correlation;
            done = isSent(RedisCommand.UNWATCH, requests, responses);
            aborting = done && correlation != before ? correlation : aborting;
        } else {
            done = isTold(requests, responses, r -> r.error(ABORTED));
        }
        if (done) {
            forgetQueue();
        }
        return done;
    }

    private boolean isDiscarded(Requests requests, Responses responses) {
        boolean sent = isSent(RedisCommand.DISCARD, requests, responses);
        if (sent) {
            forgetQueue();
        }
        return sent;
    }

    private void forgetQueue() {
        queued = null;
        queueIsBad = false;
        watches = false;
        client.queued = -1;
    }

    private boolean isAnsweredHere(RedisCommand command, Requests requests, Responses responses) {
        if (requests.pending() > 0) {
            return false;
        }
        reply.begin(client.protocol);
        try {
            if (!requests.permits(Right.of(command, words).type(), MemorySegment.NULL, 0, 0)) {
                throw new RedisError(forbidden(command));
            }
            answer(command, requests);
        } catch (RedisError e) {
            reply.begin(client.protocol).error(e.text());
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
                queuedBytes = Words.HEADER_BYTES;
                client.queued = 0;
                reply.ok();
            }
            case SELECT -> {
                if (words.number(1) != 0) {
                    throw new RedisError("ERR DB index is out of range");
                }
                reply.ok();
            }
            case HELLO -> hello(requests);
            case CLIENT -> clients.run(client, words, reply, requests);
            case COMMAND -> CommandTable.run(words, reply);
            case WAIT -> {
                words.number(1);
                words.number(2);
                // There are no replicas that this store knows of.
                reply.integer(0);
            }
            case QUIT -> reply.ok();
            case AUTH -> {
                requireLogin("AUTH <password>");
                reply.ok();
            }
            case FUNCTION -> function();
            case SLOWLOG -> slowLog();
            case LATENCY -> latency();
            default -> throw new RedisError("ERR " + command + " command not allowed");
        }
    }

    /** No slow commands are recorded, nor latencies: what asks for them finds none. */
    private void slowLog() {
        if (words.is(1, "GET") && words.count() <= 3) {
            if (words.count() == 3 && words.number(2) < -1) {
                throw new RedisError("ERR count should be greater than or equal to -1");
            }
            reply.array(0);
        } else if (words.is(1, "LEN") && words.count() == 2) {
            reply.integer(0);
        } else if (words.is(1, "RESET") && words.count() == 2) {
            reply.ok();
        } else {
            throw unknownSubcommand("SLOWLOG");
        }
    }

    private void latency() {
        if (words.is(1, "LATEST") && words.count() == 2 || words.is(1, "HISTORY") && words.count() == 3) {
            reply.array(0);
        } else if (words.is(1, "HISTOGRAM")) {
            reply.map(0);
        } else if (words.is(1, "RESET")) {
            reply.integer(0);
        } else {
            throw unknownSubcommand("LATENCY");
        }
    }

    private RedisError unknownSubcommand(String command) {
        return new RedisError("ERR unknown subcommand or wrong number of arguments for '" + words.shown(1) + "'. Try "
                + command + " HELP.");
    }

    private void function() {
        if (words.is(1, "FLUSH")) {
            reply.ok();
        } else if (words.is(1, "LIST")) {
            reply.array(0);
        } else {
            throw new RedisError("ERR there are no functions");
        }
    }

    /** The words that have shown the token are answered with OK, and no others. */
    private void requireLogin(String what) {
        if (!loggedIn) {
            throw new RedisError("ERR " + what + " called without any password configured for the default user. "
                    + "Are you sure your configuration is correct?");
        }
        if (toldOfLogin) {
            throw new RedisError("ERR this connection has logged in already; connect again to be somebody else");
        }
        toldOfLogin = true;
    }

    /** Takes what may come before a login; a token is shown at once, and its words are answered with a session. */
    private boolean isLogin(RedisCommand command, Requests requests, Responses responses) {
        int token = switch (command) {
            case AUTH -> words.count() - 1;
            case HELLO -> helloToken();
            default -> 0;
        };
        if (token > 0 && (command == RedisCommand.HELLO || words.count() <= 3)) {
            if (requests.login(words.bytes(token))) {
                loggedIn = true;
                if (command == RedisCommand.HELLO || words.count() == 3) {
                    client.user = words.text(token - 1);
                }
                requests.open();
                return false;
            }
            return true;
        }
        if (command == RedisCommand.QUIT) {
            return isAnsweredHere(command, requests, responses);
        }
        return isTold(
                requests, responses, r -> r.error(command == RedisCommand.AUTH ? RedisError.SYNTAX.text() : NO_LOGIN));
    }

    private int helloToken() {
        for (int i = 2; i + 2 < words.count(); i++) {
            if (words.is(i, "AUTH")) {
                return i + 2;
            }
        }
        return 0;
    }

    private void hello(Requests requests) {
        int version = client.protocol;
        String name = client.name;
        boolean logsIn = false;
        for (int i = 1; i < words.count(); i++) {
            if (i == 1) {
                long asked = words.number(1, new RedisError("ERR Protocol version is not an integer or out of range"));
                if (asked != 2 && asked != 3) {
                    throw new RedisError("NOPROTO unsupported protocol version");
                }
                version = (int) asked;
            } else if (words.is(i, "SETNAME") && i + 1 < words.count()) {
                name = Clients.name(words.text(++i));
            } else if (words.is(i, "AUTH") && i + 2 < words.count()) {
                logsIn = true;
                i += 2;
            } else {
                throw new RedisError("ERR Syntax error in HELLO option '" + words.text(i) + "'");
            }
        }
        if (logsIn) {
            requireLogin("HELLO AUTH");
        }
        client.name = name;
        client.protocol = version;
        reply.begin(version)
                .map(7)
                .bulk("server")
                .bulk("redis")
                .bulk("version")
                .bulk("7.0.15")
                .bulk("proto")
                .integer(version)
                .bulk("id")
                .integer(requests.session())
                .bulk("mode")
                .bulk("standalone")
                .bulk("role")
                .bulk("master")
                .bulk("modules")
                .array(0);
    }

    @Override
    public void encode(MemorySegment memory, long offset, int length, Responses responses) {
        long payload = offset + Message.HEADER_BYTES;
        int bytes = length - Message.HEADER_BYTES;
        short type = Message.type(memory, offset);
        if (inPieces && type != MessageType.REPLY && type != MessageType.EVENT) {
            // The client would take it for a part of the value, so the end of the connection has to say it.
            return;
        }
        boolean goesOn = inPieces;
        inPieces = Message.hasMore(memory, offset);
        switch (type) {
            case MessageType.REPLY -> {
                // Answers to what was asked before end no wait.
                client.blocked &= bytes == 0 || Message.correlation(memory, offset) != blocking;
                if (Message.correlation(memory, offset) == aborting) {
                    error(ABORTED, responses);
                } else {
                    responses.write(memory, payload, bytes);
                }
            }
            case MessageType.EVENT -> {
                if (goesOn) {
                    responses.write(memory, payload, bytes);
                    return;
                }
                client.blocked &= memory.get(ValueLayout.JAVA_BYTE, payload) != RespProtocol.ANSWER;
                responses.write(memory, payload + 1, bytes - 1);
            }
            case MessageType.BUSY -> {
                String text = "BUSY come back in " + Busy.retryAfterNanos(memory, offset) / 1_000_000 + " ms";
                if (Message.correlation(memory, offset) == 0) {
                    // What cannot be had is the session: only a command that needs it is told so.
                    outOfLog = text;
                } else {
                    refuse(memory, offset, text, responses);
                }
            }
            case MessageType.FAILED, MessageType.ERROR -> refuse(memory, offset, failure(memory, offset), responses);
            default -> {
                // The session is open.
            }
        }
    }

    /** What is refused while it is sent is told in its turn, behind the answers to what was asked before. */
    private void refuse(MemorySegment memory, long offset, String text, Responses responses) {
        if (sending) {
            refusal = text;
        } else {
            client.blocked &= Message.correlation(memory, offset) != blocking;
            error(text, responses);
        }
    }

    private String failure(MemorySegment memory, long offset) {
        String text = FailureNotice.text(memory, offset);
        return switch (FailureNotice.code(memory, offset)) {
            case UNAUTHENTICATED ->
                client.session == 0
                        ? "WRONGPASS invalid username-password pair or user is disabled."
                        : "NOAUTH " + text;
            case FORBIDDEN -> forbidden(client.lastCommand);
            default -> "ERR " + text;
        };
    }

    private static String forbidden(RedisCommand command) {
        return forbidden(command.text());
    }

    private static String forbidden(String command) {
        return "NOPERM this user has no permissions to run the '" + command + "' command";
    }

    private void error(String text, Responses responses) {
        tell(reply.begin(client.protocol).error(text), responses);
    }

    @Override
    public void end() {
        if (client.session != 0) {
            clients.remove(client);
        }
    }
}

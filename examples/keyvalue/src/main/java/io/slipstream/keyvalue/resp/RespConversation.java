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
    private final Client client;
    private final Words words = new Words();
    private final Reply reply = new Reply();
    private final LocalCommands local;
    private @Nullable RequestParser parser;
    private long correlation;

    /* The request that the client is blocked for, or was last. */
    private long blocking;

    /* The gateway has refused the request that is being sent: what to say once it is its turn. */
    private boolean hasShownToken;
    private @Nullable String refusal;
    private boolean sending;

    /* What to say to a command while the log has no room for a session. */
    private String outOfLog = "BUSY";

    /* Whether something may be watched; the request that ends that instead of a transaction that was wrong. */
    private boolean watches;
    private long aborting;

    /* What is asked for at present, and whether it has too few words for that, or too many. */
    private @Nullable RedisCommand asked;
    private boolean isRejected;

    /* The request that is answered even where answers are silenced. */
    private long aloud;

    /* Part of an answer was written or dropped, and the rest is to follow. */
    private boolean inPieces;
    private boolean drops;

    RespConversation(Clients clients) {
        this.clients = clients;
        this.client = new Client(clients.queued());
        this.local = new LocalCommands(clients, client, words, reply);
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
            reply.begin(client.protocol).error(e.text());
            say(responses);
            requests.close();
            return length;
        }
        if (taken == RequestParser.INCOMPLETE || words.count() == 0) {
            return taken;
        }
        if (client.silence.isForOne() && requests.pending() > 0) {
            // Whether its answer is dropped is known once that of the command before is out.
            return WAIT;
        }
        client.silence.beginCommand();
        if (!take(requests, responses)) {
            return WAIT;
        }
        client.silence.endCommand();
        count();
        return taken;
    }

    private void count() {
        RedisCommand command = asked;
        if (command != null && isRejected) {
            clients.counts().rejected(command);
        } else if (command != null) {
            clients.counts().asked(command);
        }
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
        asked = command;
        isRejected = command != null && !command.takes(words.count());
        if (command == null || isRejected) {
            if (isLoggedOut(requests)) {
                return tell(requests, responses, r -> r.error(NO_LOGIN));
            }
            return refuse(
                    command == null ? unknown() : "ERR wrong number of arguments for '" + command.text() + "' command",
                    requests,
                    responses);
        }
        if (isLoggedOut(requests)) {
            return logIn(command, requests, responses);
        }
        client.asks(command, words);
        if (client.transaction.isOpen()) {
            switch (command) {
                case EXEC, DISCARD, RESET, QUIT -> {
                    // They end it.
                }
                case MULTI, WATCH -> {
                    return tell(
                            requests,
                            responses,
                            r -> r.error("ERR " + command
                                    + (command == RedisCommand.MULTI
                                            ? " calls can not be nested"
                                            : " inside MULTI is not allowed")));
                }
                default -> {
                    return queue(command, requests, responses);
                }
            }
        }
        if (local.isHelp(command)) {
            return answerHere(command, requests, responses);
        }
        return switch (command) {
            case EXEC ->
                client.transaction.isOpen()
                        ? execute(requests, responses)
                        : tell(requests, responses, r -> r.error("ERR EXEC without MULTI"));
            case DISCARD ->
                client.transaction.isOpen()
                        ? discard(requests, responses)
                        : tell(requests, responses, r -> r.error("ERR DISCARD without MULTI"));
            case BLPOP, BRPOP, BLMOVE, BRPOPLPUSH, BLMPOP, BZMPOP, BZPOPMIN, BZPOPMAX ->
                sendToWait(command, requests, responses);
            case XREAD, XREADGROUP ->
                asksToWait() ? sendToWait(command, requests, responses) : send(command, requests, responses);
            case CLIENT ->
                words.is(1, "UNBLOCK")
                        ? send(command, MessageType.COMMAND, requests, responses)
                        : answerHere(command, requests, responses);
            case CONFIG -> {
                boolean done = send(command, requests, responses);
                if (done
                        && words.is(1, "RESETSTAT")
                        && requests.permits(Right.of(command, words).type(), MemorySegment.NULL, 0, 0)) {
                    clients.counts().reset();
                }
                yield done;
            }
            case INFO -> {
                addFigures();
                yield send(command, requests, responses);
            }
            case SUBSCRIBE, PSUBSCRIBE -> {
                client.mayListen = true;
                yield sendAloud(command, requests, responses);
            }
            case UNSUBSCRIBE, PUNSUBSCRIBE -> sendAloud(command, requests, responses);
            case WATCH -> {
                watches = true;
                yield send(command, requests, responses);
            }
            case RESET -> {
                if (client.silence.isOn() && requests.pending() > 0) {
                    yield false;
                }
                endTransaction();
                client.protocol = Client.DEFAULT_PROTOCOL;
                client.database = 0;
                client.name = "";
                client.mayListen = false;
                client.silence.off();
                yield send(command, requests, responses);
            }
            case PING ->
                client.mayListen && words.count() <= 2
                        ? send(command, requests, responses)
                        : answerHere(command, requests, responses);
            default ->
                command.kind() == RedisCommand.Kind.LOCAL
                        ? answerHere(command, requests, responses)
                        : send(command, requests, responses);
        };
    }

    /** Tells the store with the question what only the gateway knows: INFO is not in the log. */
    private void addFigures() {
        List<byte[]> all = new ArrayList<>();
        for (int i = 1; i < words.count(); i++) {
            all.add(words.bytes(i));
        }
        clients.figures().forEach(each -> all.add(each.getBytes(StandardCharsets.UTF_8)));
        words.take(all);
    }

    /** Who waits is in the log, even who only reads: what it waits for comes with an entry of the log. */
    private boolean sendToWait(RedisCommand command, Requests requests, Responses responses) {
        long before = correlation;
        boolean done = send(command, MessageType.COMMAND, requests, responses);
        client.blocked = done && correlation != before;
        blocking = correlation;
        return done;
    }

    /** What becomes of a subscription is told even where answers are silenced. */
    private boolean sendAloud(RedisCommand command, Requests requests, Responses responses) {
        if (client.silence.isOn() && requests.pending() > 0) {
            return false;
        }
        boolean done = send(command, requests, responses);
        aloud = done ? correlation : aloud;
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

    private boolean refuse(String error, Requests requests, Responses responses) {
        boolean told = tell(requests, responses, r -> r.error(error));
        if (told && client.transaction.isOpen()) {
            client.transaction.spoil();
        }
        return told;
    }

    /** Says something of our own, in its turn: once all that was asked before is answered. */
    private boolean tell(Requests requests, Responses responses, Consumer<Reply> what) {
        if (requests.pending() > 0) {
            return false;
        }
        what.accept(reply.begin(client.protocol));
        say(responses);
        return true;
    }

    private void say(Responses responses) {
        if (!client.silence.isOn()) {
            responses.write(reply.memory(), 0, reply.length());
        }
    }

    private boolean send(RedisCommand command, Requests requests, Responses responses) {
        return send(
                command,
                command.kind() == RedisCommand.Kind.WRITE ? MessageType.COMMAND : MessageType.QUERY,
                requests,
                responses);
    }

    private boolean send(RedisCommand command, short type, Requests requests, Responses responses) {
        String refused = refusal;
        if (refused != null) {
            boolean told = tell(requests, responses, r -> r.error(refused));
            refusal = told ? null : refused;
            return told;
        }
        if (requests.session() == 0 && type != MessageType.QUERY) {
            return tell(requests, responses, r -> r.error(outOfLog));
        }
        if (mayAnswerLong(command) && (requests.pending() + 1L) * MAX_ANSWER > responses.room()) {
            // The client has not read enough yet of what it asked for.
            return false;
        }
        long bytes = words.payloadBytes();
        if (bytes > requests.maxPayloadLength()) {
            return tell(
                    requests,
                    responses,
                    r -> r.error("ERR the command has " + bytes + " bytes, and at most " + requests.maxPayloadLength()
                            + " are taken"));
        }
        if (bytes > Words.LONGEST_VALUE && words.isOneLongerThan(Words.LONGEST_VALUE)) {
            return tell(requests, responses, r -> r.error(RedisError.TOO_LONG.text()));
        }
        long at = requests.claim(type, correlation + 1, (int) bytes);
        if (at == Requests.NO_ROOM) {
            return closeIfEnding(requests);
        }
        correlation++;
        words.writePayload(
                command,
                client.protocol,
                client.database,
                Words.valueClass(requests.maxPayloadLength()),
                type == MessageType.QUERY ? requests.epochNanos() / 1_000_000 : 0,
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

    private static boolean closeIfEnding(Requests requests) {
        if (requests.isClosing()) {
            requests.close();
            return true;
        }
        return false;
    }

    private boolean queue(RedisCommand command, Requests requests, Responses responses) {
        if (requests.pending() > 0) {
            return false;
        }
        // What the log would tell of SLOWLOG is not in the log.
        boolean isLocal = command.kind() == RedisCommand.Kind.LOCAL || command == RedisCommand.SLOWLOG;
        if (isLocal && !IN_TRANSACTIONS.contains(command)) {
            return refuse("ERR '" + command.text() + "' is not possible within MULTI", requests, responses);
        }
        if (command == RedisCommand.SELECT && !words.is(1, Integer.toString(client.database))) {
            return refuse("ERR another database cannot be selected within MULTI", requests, responses);
        }
        if (client.transaction.bytesWith(words.payloadBytes()) > requests.maxPayloadLength()) {
            return refuse(
                    "ERR the transaction has more than " + requests.maxPayloadLength() + " bytes, and at most that is "
                            + "taken",
                    requests,
                    responses);
        }
        if (!client.transaction.isBad() && !clients.queued().hasRoom(words.payloadBytes())) {
            return refuse("ERR the transactions of all clients have too many bytes at present", requests, responses);
        }
        byte[] payload = new byte[(int) words.payloadBytes()];
        MemorySegment memory = MemorySegment.ofArray(payload);
        int valueClass = Words.valueClass(requests.maxPayloadLength());
        words.writePayload(command, client.protocol, client.database, valueClass, 0, memory, 0);
        if (!requests.permits(Right.of(command, words).type(), memory, 0, payload.length)) {
            return refuse(forbidden(command), requests, responses);
        }
        client.transaction.add(payload);
        return tell(requests, responses, r -> r.simple("QUEUED"));
    }

    private boolean execute(Requests requests, Responses responses) {
        if (client.transaction.isBad()) {
            return abort(requests, responses);
        }
        words.take(client.transaction.payloads());
        boolean sent = send(RedisCommand.EXEC, requests, responses);
        if (sent) {
            endTransaction();
        }
        return sent;
    }

    /** What was watched is so no more: the log is told of that, and its answer is the error. */
    private boolean abort(Requests requests, Responses responses) {
        boolean done;
        if (watches) {
            long before = correlation;
            done = send(RedisCommand.UNWATCH, requests, responses);
            aborting = done && correlation != before ? correlation : aborting;
        } else {
            done = tell(requests, responses, r -> r.error(ABORTED));
        }
        if (done) {
            endTransaction();
        }
        return done;
    }

    private boolean discard(Requests requests, Responses responses) {
        boolean sent = send(RedisCommand.DISCARD, requests, responses);
        if (sent) {
            endTransaction();
        }
        return sent;
    }

    private void endTransaction() {
        client.transaction.end();
        watches = false;
    }

    private boolean answerHere(RedisCommand command, Requests requests, Responses responses) {
        if (requests.pending() > 0) {
            return false;
        }
        reply.begin(client.protocol);
        long beganNanos = System.nanoTime();
        try {
            if (!requests.permits(Right.of(command, words).type(), MemorySegment.NULL, 0, 0)) {
                throw new RedisError(forbidden(command));
            }
            local.answer(command, requests);
            clients.slowLog().took(command, words, client, System.nanoTime() - beganNanos);
        } catch (RedisError e) {
            reply.begin(client.protocol).error(e.text());
        }
        say(responses);
        if (command == RedisCommand.QUIT) {
            requests.close();
        }
        return true;
    }

    /** Takes what may come before a login; a token is shown at once, and its words are answered with a session. */
    private boolean logIn(RedisCommand command, Requests requests, Responses responses) {
        int token = switch (command) {
            case AUTH -> words.count() - 1;
            case HELLO -> helloToken();
            default -> 0;
        };
        if (token > 0 && (command == RedisCommand.HELLO || words.count() <= 3)) {
            hasShownToken = true;
            if (requests.login(words.bytes(token))) {
                local.loggedIn();
                if (command == RedisCommand.HELLO || words.count() == 3) {
                    client.user = words.text(token - 1);
                }
                requests.open();
                return false;
            }
            return true;
        }
        if (command == RedisCommand.QUIT) {
            return answerHere(command, requests, responses);
        }
        return tell(
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
                } else if (!client.silence.isOn() || Message.correlation(memory, offset) == aloud) {
                    responses.write(memory, payload, bytes);
                }
            }
            case MessageType.EVENT -> {
                int kindBytes = goesOn ? 0 : 1;
                if (!goesOn) {
                    boolean answers = memory.get(ValueLayout.JAVA_BYTE, payload) == RespProtocol.ANSWER;
                    client.blocked &= !answers;
                    drops = answers && client.silence.isOn();
                }
                if (!drops) {
                    responses.write(memory, payload + kindBytes, bytes - kindBytes);
                }
            }
            case MessageType.BUSY -> {
                String text = "BUSY come back in " + Busy.retryAfterNanos(memory, offset) / 1_000_000 + " ms";
                if (Message.correlation(memory, offset) == 0) {
                    // What cannot be had is the session: only a command that needs it is told so.
                    outOfLog = text;
                } else {
                    refused(memory, offset, text, responses);
                }
            }
            case MessageType.FAILED, MessageType.ERROR -> refused(memory, offset, failure(memory, offset), responses);
            default -> {
                // The session is open.
            }
        }
    }

    /** What is refused while it is sent is told in its turn, behind the answers to what was asked before. */
    private void refused(MemorySegment memory, long offset, String text, Responses responses) {
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
            case UNAUTHENTICATED -> unauthenticated(text);
            case FORBIDDEN -> forbidden(client.lastCommand);
            default -> "ERR " + text;
        };
    }

    private String unauthenticated(String text) {
        if (client.session != 0) {
            return "NOAUTH " + text;
        }
        return hasShownToken ? "WRONGPASS invalid username-password pair or user is disabled." : "ERR " + text;
    }

    private static String forbidden(RedisCommand command) {
        return forbidden(command.text());
    }

    private static String forbidden(String command) {
        return "NOPERM this user has no permissions to run the '" + command + "' command";
    }

    private void error(String text, Responses responses) {
        reply.begin(client.protocol).error(text);
        say(responses);
    }

    @Override
    public void end() {
        client.transaction.end();
        if (client.session != 0) {
            clients.remove(client);
        }
    }
}

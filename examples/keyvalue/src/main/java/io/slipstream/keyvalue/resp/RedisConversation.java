package io.slipstream.keyvalue.resp;

import io.slipstream.service.protocol.FailureNotice;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.service.spi.Conversation;
import io.slipstream.service.spi.Requests;
import io.slipstream.service.spi.Responses;

import java.lang.foreign.MemorySegment;
import java.util.Locale;

/**
 * What is said with one Redis client. Answers go out in the order of the requests: what the conversation answers itself
 * waits until all earlier requests are answered. A request that there is no room for waits too.
 */
final class RedisConversation implements Conversation {
    private static final int MAX_NAME = 64;

    private final Words words = new Words();
    private final Reply reply = new Reply();
    private int protocol = 2;
    private long correlation;
    private String name = "";

    @Override
    public int decode(MemorySegment memory, long offset, int length, Requests requests, Responses responses) {
        if (requests.session() == 0) {
            if (!requests.isOpening()) {
                requests.open();
            }
            return WAIT;
        }
        int taken;
        try {
            taken = new RequestParser(requests.maxPayloadLength()).parse(memory, offset, length, words);
        } catch (RedisError e) {
            return endWith(e.text(), length, requests, responses);
        }
        if (taken == RequestParser.INCOMPLETE) {
            return length >= requests.maxBytes()
                    ? endWith("ERR Protocol error: the request is too long", length, requests, responses) : INCOMPLETE;
        }
        if (words.count() == 0) {
            return taken;
        }
        return isTaken(requests, responses) ? taken : WAIT;
    }

    @Override
    public void encode(MemorySegment memory, long offset, int length, Responses responses) {
        switch (Message.type(memory, offset)) {
            case MessageType.REPLY -> responses.write(memory, offset + Message.HEADER_BYTES,
                    length - Message.HEADER_BYTES);
            case MessageType.FAILED, MessageType.ERROR -> {
                reply.begin(protocol).error("ERR " + FailureNotice.text(memory, offset));
                responses.write(reply.memory(), 0, reply.length());
            }
            case MessageType.BUSY -> {
                reply.begin(protocol).error("BUSY the service has more to do than it can do in time, try again");
                responses.write(reply.memory(), 0, reply.length());
            }
            default -> { }
        }
    }

    private int endWith(String error, int length, Requests requests, Responses responses) {
        if (requests.pending() > 0) {
            return WAIT;
        }
        reply.begin(protocol).error(error);
        responses.write(reply.memory(), 0, reply.length());
        requests.close();
        return length;
    }

    private boolean isTaken(Requests requests, Responses responses) {
        String first = words.text(0);
        RedisCommand command = RedisCommand.named(first.toUpperCase(Locale.ROOT));
        boolean fits = command != null && command.takes(words.count())
                && words.payloadBytes() <= requests.maxPayloadLength();
        if (command != null && fits && command.kind() != RedisCommand.Kind.LOCAL) {
            return isPassedOn(command, requests);
        }
        if (requests.pending() > 0) {
            return false;
        }
        reply.begin(protocol);
        if (command == null) {
            reply.error("ERR unknown command '" + first + "', with args beginning with: " + arguments());
        } else if (!command.takes(words.count())) {
            reply.error("ERR wrong number of arguments for '" + command.text() + "' command");
        } else if (!fits) {
            reply.error("ERR a command has at most " + requests.maxPayloadLength() + " bytes, this one has "
                    + words.payloadBytes());
        } else {
            answer(command, requests);
        }
        responses.write(reply.memory(), 0, reply.length());
        return true;
    }

    private boolean isPassedOn(RedisCommand command, Requests requests) {
        short type = command.kind() == RedisCommand.Kind.READ ? MessageType.QUERY : MessageType.COMMAND;
        long at = requests.claim(type, correlation + 1, (int) words.payloadBytes());
        if (at == Requests.NO_ROOM) {
            return false;
        }
        correlation++;
        words.writePayload(command, protocol, requests.memory(), at);
        requests.publish();
        return true;
    }

    private void answer(RedisCommand command, Requests requests) {
        try {
            switch (command) {
                case PING -> {
                    if (words.count() == 1) {
                        reply.simple("PONG");
                    } else {
                        reply.bulk(words.bytes(1));
                    }
                }
                case ECHO -> reply.bulk(words.bytes(1));
                case HELLO -> hello(requests);
                case CLIENT -> client(requests);
                case COMMAND -> command();
                case CONFIG -> config();
                case SELECT -> select();
                case QUIT -> {
                    reply.ok();
                    requests.close();
                }
                default -> throw new IllegalStateException(command + " is not answered here");
            }
        } catch (RedisError e) {
            reply.truncate(0);
            reply.error(e.text());
        }
    }

    private void hello(Requests requests) {
        if (words.count() > 1) {
            long version = words.number(1, new RedisError("ERR Protocol version is not an integer or out of range"));
            if (version < 2 || version > 3) {
                throw new RedisError("NOPROTO unsupported protocol version");
            }
            if (words.count() > 2 && !(words.count() == 4 && words.is(2, "SETNAME"))) {
                throw new RedisError("ERR Syntax error in HELLO option '" + words.text(2) + "'");
            }
            if (words.count() == 4) {
                rename(words.text(3));
            }
            protocol = (int) version;
            reply.begin(protocol);
        }
        reply.map(7).bulk("server").bulk("redis").bulk("version").bulk("7.0.15").bulk("proto").integer(protocol)
                .bulk("id").integer(requests.session()).bulk("mode").bulk("standalone").bulk("role").bulk("master")
                .bulk("modules").array(0);
    }

    private void client(Requests requests) {
        if (words.is(1, "ID")) {
            reply.integer(requests.session());
        } else if (words.is(1, "GETNAME")) {
            reply.bulk(name);
        } else if (words.is(1, "SETNAME") && words.count() == 3) {
            rename(words.text(2));
            reply.ok();
        } else if (words.is(1, "SETINFO") && words.count() == 4) {
            reply.ok();
        } else {
            throw unknownSubcommand("CLIENT");
        }
    }

    private void rename(String newName) {
        if (newName.length() > MAX_NAME || newName.chars().anyMatch(c -> c < '!' || c > '~')) {
            throw new RedisError("ERR Client names cannot contain spaces, newlines or special characters, nor have"
                    + " more than " + MAX_NAME + " of them.");
        }
        name = newName;
    }

    private void command() {
        if (words.count() > 1 && words.is(1, "COUNT")) {
            reply.integer(RedisCommand.values().length);
        } else if (words.count() > 1 && words.is(1, "DOCS")) {
            reply.map(0);
        } else if (words.count() == 1) {
            RedisCommand[] all = RedisCommand.values();
            reply.array(all.length);
            for (RedisCommand each : all) {
                reply.array(6).bulk(each.text()).integer(each.arity()).array(0).integer(0).integer(0).integer(0);
            }
        } else {
            throw unknownSubcommand("COMMAND");
        }
    }

    private void config() {
        if (!words.is(1, "GET") || words.count() < 3) {
            throw unknownSubcommand("CONFIG");
        }
        reply.map(0);
    }

    private void select() {
        if (words.number(1) != 0) {
            throw new RedisError("ERR DB index is out of range");
        }
        reply.ok();
    }

    private RedisError unknownSubcommand(String command) {
        return new RedisError("ERR unknown subcommand '" + words.text(1) + "'. Try " + command + " HELP.");
    }

    private String arguments() {
        StringBuilder text = new StringBuilder();
        for (int i = 1; i < words.count() && text.length() < 128; i++) {
            String word = words.text(i);
            text.append('\'').append(word, 0, Math.min(word.length(), 128 - text.length())).append("' ");
        }
        return text.toString();
    }
}

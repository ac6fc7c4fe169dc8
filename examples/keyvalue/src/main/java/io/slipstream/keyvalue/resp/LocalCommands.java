package io.slipstream.keyvalue.resp;

import io.slipstream.service.spi.Requests;

/** The commands about the connection alone, which its gateway answers. */
final class LocalCommands {
    private final Clients clients;
    private final Client client;
    private final Words words;
    private final Reply reply;

    /* Where a token is wanted: it was shown; the words that showed it were answered. */
    private boolean loggedIn;
    private boolean toldOfLogin;

    /** Words of commands, with the command's own as the first, are answered into {@code reply}. */
    LocalCommands(Clients clients, Client client, Words words, Reply reply) {
        this.clients = clients;
        this.client = client;
        this.words = words;
        this.reply = reply;
    }

    /** The client has shown its token: the words that did so are to be answered. */
    void loggedIn() {
        loggedIn = true;
    }

    /**
     * Answers the words.
     *
     * @throws RedisError if they are wrong; what was answered until then is of no meaning
     */
    void answer(RedisCommand command, Requests requests) {
        if (isHelp(command)) {
            CommandTable.help(command, words, reply);
            return;
        }
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
                client.transaction.begin();
                reply.ok();
            }
            case SELECT -> {
                client.database = database();
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
            case LATENCY -> latency();
            default -> throw new RedisError("ERR " + command + " command not allowed");
        }
    }

    /** Returns whether the words ask for the subcommands that there are; those are known here, whose they may be. */
    boolean isHelp(RedisCommand command) {
        return command.hasSubcommands() && words.count() > 1 && words.is(1, "HELP");
    }

    private int database() {
        long number = words.number(1);
        if (number < 0 || number >= Words.DATABASES) {
            throw RedisError.NO_SUCH_DATABASE;
        }
        return (int) number;
    }

    /** No latencies are recorded, as in a Redis whose threshold for them is not set. */
    private void latency() {
        if (words.is(1, "LATEST") && words.count() == 2 || words.is(1, "HISTORY") && words.count() == 3) {
            reply.array(0);
        } else if (words.is(1, "HISTOGRAM")) {
            reply.map(0);
        } else if (words.is(1, "RESET")) {
            reply.integer(0);
        } else {
            throw new RedisError("ERR unknown subcommand or wrong number of arguments for '" + words.shown(1)
                    + "'. Try LATENCY HELP.");
        }
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
}

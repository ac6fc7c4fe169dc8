package io.slipstream.keyvalue;

import io.slipstream.keyvalue.resp.RedisCommand;
import io.slipstream.keyvalue.resp.RedisError;
import io.slipstream.keyvalue.resp.Reply;
import io.slipstream.keyvalue.resp.Words;
import io.slipstream.service.machine.Command;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.machine.StateOutput;

/** Keys and their values; answers are bytes in the language of Redis. */
public final class KeyValueMachine implements StateMachine {
    private final Database database = new Database();
    private final StringCommands strings = new StringCommands(database);
    private final KeyCommands keys = new KeyCommands(database);
    private final Words words = new Words();
    private final Reply reply = new Reply();

    /** Creates a store without keys. */
    public KeyValueMachine() {
    }

    @Override
    public void onCommand(Command command, Output output) {
        execute(command, output, true);
    }

    @Override
    public void onQuery(Command query, Output output) {
        execute(query, output, false);
    }

    @Override
    public void onTimer(long timer, Output output) {
        database.onTimer(output);
    }

    @Override
    public long stateHash() {
        return database.hash();
    }

    @Override
    public void save(StateOutput output) {
        database.save(output);
    }

    @Override
    public void load(StateInput input, int version) {
        database.load(input);
    }

    private void execute(Command request, Output output, boolean mayWrite) {
        RedisCommand command = Words.command(request.memory(), request.offset(), request.length());
        words.read(request.memory(), request.offset(), request.length());
        reply.begin(Words.protocol(request.memory(), request.offset()));
        try {
            if (command.kind() == RedisCommand.Kind.LOCAL || command.kind() == RedisCommand.Kind.WRITE && !mayWrite) {
                throw new RedisError("ERR '" + command.text() + "' came as the wrong kind of request");
            }
            if (!command.takes(words.count() + 1)) {
                throw new RedisError("ERR wrong number of arguments for '" + command.text() + "' command");
            }
            if (!strings.execute(command, words, reply, request.sequence(), output)) {
                keys.execute(command, words, reply, output);
            }
            if (reply.length() > Output.MAX_LENGTH) {
                throw new RedisError("ERR the answer has more than " + Output.MAX_LENGTH + " bytes");
            }
        } catch (RedisError e) {
            reply.truncate(0);
            reply.error(e.text());
        }
        output.reply(reply.memory(), 0, reply.length());
    }
}

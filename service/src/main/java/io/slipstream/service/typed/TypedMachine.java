package io.slipstream.service.typed;

import io.slipstream.service.machine.CommandSchema;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.pressure.CommandKinds;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A state machine whose commands, queries, replies and events are records.
 *
 * <pre>{@code
 *   final class Bank extends TypedMachine {
 *       Bank() {
 *           super(CONTRACT);
 *           on(Deposit.class, this::deposit);
 *           answer(BalanceOf.class, this::balanceOf);
 *       }
 *
 *       private Balance deposit(Deposit deposit, Context context) { ... }
 *   }
 * }</pre>
 *
 * <p>All that is said of {@link StateMachine} holds: one thread, no clock, no files; time, timers and random numbers
 * come from the {@link Context}. A payload that is no command of the contract, cannot be decoded, or is refused by its
 * record's constructor is rejected with the reason, live and at replay alike.
 *
 * <p>A call makes the command's record, and what the handler makes; nothing else.
 */
public abstract class TypedMachine implements StateMachine, CommandKinds, CommandSchema {
    private final Contract contract;
    private final Handlers commands;
    private final Handlers queries;
    private final Context context;

    /** Creates a machine without handlers; a constructor adds one for each command and query of the contract. */
    protected TypedMachine(Contract contract) {
        this.contract = contract;
        this.context = new Context(contract);
        this.commands = new Handlers(contract, Operation.Kind.COMMAND);
        this.queries = new Handlers(contract, Operation.Kind.QUERY);
    }

    /**
     * Applies commands of a type with {@code handler}.
     *
     * @throws IllegalArgumentException if it is no command of the contract, or has a handler
     */
    protected final <C extends Command<R>, R> void on(Class<C> type, Handler<? super C, ? extends R> handler) {
        commands.add(type, handler);
    }

    /** Answers queries of a type with {@code handler}; see {@link #on}. */
    protected final <Q extends Query<R>, R> void answer(Class<Q> type, Handler<? super Q, ? extends R> handler) {
        queries.add(type, handler);
    }

    /**
     * Called when a timer fires; see {@link StateMachine#onTimer}.
     *
     * @throws UnsupportedOperationException unless overridden
     */
    protected void onTimer(long timer, Context in) {
        throw new UnsupportedOperationException("this service sets no timers");
    }

    /** Called when a session was opened; see {@link StateMachine#onSessionOpen}. */
    protected void onSessionOpen(long session, String principal, Context in) {}

    /** Called when a session has ended; see {@link StateMachine#onSessionClose}. */
    protected void onSessionClose(long session, Context in) {}

    /** Publishes what a new subscriber needs to know; see {@link StateMachine#onSubscribe}. */
    protected void onSubscribe(long topic, Context in) {}

    /** Called where the log goes from an older version to this one; see {@link StateMachine#onUpgrade}. */
    protected void onUpgrade(int formerVersion, Context in) {}

    /** Returns all that this service understands and sends. */
    public final Contract contract() {
        return contract;
    }

    /** Returns the definitions of the commands of the contract. */
    @Override
    public final String commandSchema() {
        return contract.commandDefinitions().toString();
    }

    /** Returns the definitions of all records of the contract. */
    @Override
    public final String clientSchema() {
        return contract.definitions().toString();
    }

    /**
     * Returns the name of the contract.
     *
     * @throws IllegalStateException if a command or a query of the contract has no handler
     */
    @Override
    public final String name() {
        commands.requireAll("on");
        queries.requireAll("answer");
        return contract.name();
    }

    /** Returns the type of the record, so that each is measured apart. */
    @Override
    public final int kind(MemorySegment memory, long offset, int length) {
        return Contract.kind(memory, offset, length);
    }

    /** Returns the name of the record; null if the contract has none of that type. */
    @Override
    public final @Nullable String kindName(int kind) {
        return contract.operationName(kind);
    }

    @Override
    public final void onCommand(Request command, Output output) {
        apply(commands, command, output);
    }

    @Override
    public final void onQuery(Request query, Output output) {
        apply(queries, query, output);
    }

    @Override
    public final void onTimer(long timer, Output output) {
        try {
            onTimer(timer, context.begin(null, output));
        } finally {
            context.end();
        }
    }

    @Override
    public final void onSessionOpen(long session, String principal, Output output) {
        try {
            onSessionOpen(session, principal, context.begin(null, output));
        } finally {
            context.end();
        }
    }

    @Override
    public final void onSessionClose(long session, Output output) {
        try {
            onSessionClose(session, context.begin(null, output));
        } finally {
            context.end();
        }
    }

    @Override
    public final void onSubscribe(long topic, Request command, Output output) {
        try {
            onSubscribe(topic, context.begin(command, output));
        } finally {
            context.end();
        }
    }

    @Override
    public final void onUpgrade(int formerVersion, Output output) {
        try {
            onUpgrade(formerVersion, context.begin(null, output));
        } finally {
            context.end();
        }
    }

    private void apply(Handlers handlers, Request command, Output output) {
        Handlers.Bound<?, ?> bound = handlers.find(command);
        if (bound == null) {
            output.reject(handlers.whyNot(command));
            return;
        }
        try {
            apply(bound, command, context.begin(command, output));
        } finally {
            context.end();
        }
    }

    private <C, R> void apply(Handlers.Bound<C, R> bound, Request command, Context in) {
        C value;
        try {
            value = bound.codec().decode(command.memory(), command.offset(), command.length());
        } catch (RuntimeException e) {
            in.raw().reject(Handlers.undecodable(bound.codec(), e));
            return;
        }
        @Nullable R reply = bound.handler().handle(value, in);
        if (in.rejected()) {
            return;
        }
        if (reply == null) {
            throw new IllegalStateException("the handler of "
                    + bound.codec().schema().name() + " returned null; return a reply, or context.reject(\"why\")");
        }
        in.reply(bound.replyCodec(), reply);
    }
}

package io.slipstream.cli.journal;

import io.slipstream.cli.console.UserClasses;
import io.slipstream.cli.exchange.ExchangeFolder;
import io.slipstream.keyvalue.KeyValueStore;
import io.slipstream.ledger.Ledger;
import io.slipstream.service.machine.StateMachine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Path;
import java.util.function.Supplier;

/** State machines by name: those of {@code serve}, and classes of the user's own. */
public final class Machines implements AutoCloseable {
    private final Path folder;
    private final UserClasses classes;

    /**
     * Machines for the log in {@code folder}.
     *
     * @param classPath where classes are: folders, jars, and folders of jars that end in {@code /*}
     */
    public Machines(Path folder, String classPath) throws IOException {
        this.folder = folder;
        this.classes = new UserClasses(classPath);
    }

    /** Returns what makes machines of that name. */
    public Supplier<StateMachine> named(String name) throws IOException {
        return switch (name) {
            case "exchange" -> {
                ExchangeFolder.machine(folder);
                yield () -> {
                    try {
                        return ExchangeFolder.machine(folder);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                };
            }
            case "keyvalue" -> KeyValueStore::new;
            case "ledger" -> Ledger::new;
            default -> ofClass(name);
        };
    }

    private Supplier<StateMachine> ofClass(String name) throws IOException {
        Class<?> type = classes.initialized(name, "neither exchange, keyvalue or ledger nor a class");
        if (!StateMachine.class.isAssignableFrom(type)) {
            throw new IOException(name + " is no " + StateMachine.class.getName());
        }
        return () -> create(type);
    }

    private static StateMachine create(Class<?> type) {
        try {
            Constructor<?> constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            return (StateMachine) constructor.newInstance();
        } catch (NoSuchMethodException
                | IllegalAccessException
                | InstantiationException
                | InaccessibleObjectException e) {
            throw new IllegalArgumentException(
                    type.getName()
                            + " needs a constructor without arguments, and in a named module to be public and exported",
                    e);
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException(
                    "the constructor of " + type.getName() + " has failed: " + e.getCause(), e);
        }
    }

    @Override
    public void close() throws IOException {
        classes.close();
    }
}

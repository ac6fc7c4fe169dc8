package io.slipstream.cli.journal;

import io.slipstream.cli.exchange.ExchangeFolder;
import io.slipstream.keyvalue.KeyValueStore;
import io.slipstream.ledger.Ledger;
import io.slipstream.service.machine.StateMachine;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** State machines by name: those of {@code serve}, and classes of the user's own. */
public final class Machines implements AutoCloseable {
    private final Path folder;
    private final URLClassLoader loader;

    /** Machines for the log in {@code folder}; {@code classPath} says where classes are. */
    public Machines(Path folder, String classPath) throws IOException {
        this.folder = folder;
        List<URL> urls = new ArrayList<>();
        for (String entry : classPath.split(File.pathSeparator)) {
            if (!entry.isEmpty()) {
                Path path = Path.of(entry);
                if (!Files.exists(path)) {
                    throw new IOException("there is no " + path + ", which the class path names");
                }
                urls.add(path.toUri().toURL());
            }
        }
        this.loader = new URLClassLoader(urls.toArray(new URL[0]), Machines.class.getClassLoader());
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
        Class<?> type;
        try {
            type = Class.forName(name, true, loader);
        } catch (ClassNotFoundException | LinkageError e) {
            throw new IOException(
                    name + " is neither exchange, keyvalue or ledger nor a class that can be loaded (" + e
                            + "); say where it is with --class-path",
                    e);
        }
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
        loader.close();
    }
}

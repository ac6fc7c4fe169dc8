package io.slipstream.architecture.interrupts;

import io.slipstream.architecture.interrupts.Values.Maker;
import java.lang.reflect.Executable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What calls on an interrupted thread need: makers of objects and arguments, and how to see that they work. Each module
 * adds its own. What is costly to start is made once, and lasts until the test ends.
 */
final class InterruptProbes implements Values.Makers {
    /** The length of each frame in the memory that calls are given. */
    static final int FRAME_BYTES = 64;

    static final String TEXT = "text";
    static final String SECRET = "a secret";

    /** After them an object need not work. */
    private static final Set<String> ENDS =
            Set.of("close", "leave", "stop", "kill", "disconnect", "shutdown", "shutdownNow");

    private final Map<Class<?>, Maker> makers = new HashMap<>();
    private final Map<Place, Map<Class<?>, Maker>> arguments = new HashMap<>();
    private final Map<Place, String> spared = new HashMap<>();
    private final Map<Class<?>, Check<Object>> checks = new LinkedHashMap<>();
    private final Map<Class<?>, Object> shared = new HashMap<>();
    /** Has what is shared closed. */
    private @Nullable Values lasting;

    interface Check<T> {
        void run(T subject) throws Exception;
    }

    interface MakerOf<T> {
        T make(Values values) throws Exception;
    }

    /** A type with all its calls, or those of one name; {@code new} is that of constructors. */
    private record Place(Class<?> type, @Nullable String call) {
        Place {
            boolean exists = call == null
                    || call.equals("new")
                    || Arrays.stream(type.getMethods())
                            .anyMatch(each -> each.getName().equals(call));
            if (!exists) {
                throw new IllegalArgumentException(type.getName() + " has no public method " + call);
            }
        }
    }

    InterruptProbes() {
        JdkProbes.addTo(this);
        CoreProbes.addTo(this);
        DataProbes.addTo(this);
        JournalProbes.addTo(this);
        IpcProbes.addTo(this);
        LogProbes.addTo(this);
        ServiceProbes.addTo(this);
        HttpProbes.addTo(this);
        ReplicaProbes.addTo(this);
    }

    /** Whether it is not called, for a reason of its own. */
    boolean isSpared(Class<?> type, Executable call) {
        return spared.containsKey(new Place(type, null)) || spared.containsKey(new Place(type, PublicApi.name(call)));
    }

    /** Whether the object of a call need not work after it. */
    boolean ends(Executable call) {
        return ENDS.contains(call.getName());
    }

    @Override
    public @Nullable Maker of(Class<?> type) {
        return makers.get(type);
    }

    @Override
    public @Nullable Maker given(Class<?> type, Executable call, Class<?> given) {
        Maker ofCall = given(new Place(type, PublicApi.name(call)), given);
        return ofCall == null ? given(new Place(type, null), given) : ofCall;
    }

    private @Nullable Maker given(Place place, Class<?> given) {
        return arguments.getOrDefault(place, Map.of()).get(given);
    }

    @Override
    public synchronized boolean isShared(Object value) {
        return shared.containsValue(value);
    }

    void requireWorking(Object subject) throws Exception {
        for (Map.Entry<Class<?>, Check<Object>> check : checks.entrySet()) {
            if (check.getKey().isInstance(subject)) {
                check.getValue().run(subject);
            }
        }
    }

    <T> void made(Class<T> type, MakerOf<? extends T> maker) {
        makers.put(type, maker::make);
    }

    /** Adds how to see that an object works. */
    @SuppressWarnings("unchecked")
    <T> void works(Class<T> type, Check<? super T> check) {
        checks.put(type, subject -> check.run((T) subject));
    }

    /** Adds what all calls of a type are given. */
    <T> void given(Class<?> where, Class<T> type, MakerOf<? extends T> maker) {
        given(new Place(where, null), type, maker);
    }

    /** Adds what the calls of one name are given; if it is of the same type, what they are called on. */
    <T> void given(Class<?> where, String call, Class<T> type, MakerOf<? extends T> maker) {
        given(new Place(where, call), type, maker);
    }

    private <T> void given(Place place, Class<T> type, MakerOf<? extends T> maker) {
        arguments.computeIfAbsent(place, key -> new HashMap<>()).put(type, maker::make);
    }

    /** Has no call of a type tried. */
    void spared(Class<?> type, String reason) {
        spared.put(new Place(type, null), reason);
    }

    /** Has the calls of one name not tried. */
    void spared(Class<?> type, String call, String reason) {
        spared.put(new Place(type, call), reason);
    }

    /**
     * Has the calls of a type made on one object, which is costly to make, but for those that end it and those that are
     * given another one. Each is followed by the check of the type.
     */
    <T> void costly(Class<T> type) {
        given(type, type, values -> shared(type, values));
        for (String end : ENDS) {
            if (Arrays.stream(type.getMethods()).anyMatch(each -> each.getName().equals(end))) {
                given(type, end, type, values -> values.of(type));
            }
        }
    }

    /** The one object of a type that calls share; made when the first needs it. */
    synchronized <T> T shared(Class<T> type, Values values) throws Exception {
        Object value = shared.get(type);
        if (value == null) {
            if (lasting == null) {
                lasting = values.another();
            }
            value = lasting.of(type);
            shared.put(type, value);
        }
        return type.cast(value);
    }

    /** Ends what calls have shared. */
    synchronized void endShared() throws Exception {
        shared.clear();
        if (lasting != null) {
            lasting.close();
        }
    }
}

package io.slipstream.grid;

import io.slipstream.data.codec.Codec;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.typed.Contract;
import io.slipstream.service.typed.TypedClient;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a map holds, and what may be done to its entries. Service and clients share it. Immutable; any thread.
 *
 * <pre>{@code
 *   static final GridType<Stock> STOCK = GridType.of("stock", Stock.class, MethodHandles.lookup(), Sell.class);
 * }</pre>
 *
 * @param <V> values, a record
 */
public final class GridType<V> {
    /** Longest key, in bytes of UTF-8. */
    public static final int MAX_KEY_BYTES = 256;

    /** Longest value. One that is put must also fit into a frame of the service, which has 16 KiB by default. */
    public static final int MAX_VALUE_BYTES = 1 << 16;

    private final Codec<V> values;
    private final Contract contract;
    private final List<Class<? extends Processor<V, ?>>> processors;

    private GridType(Codec<V> values, Contract contract, List<Class<? extends Processor<V, ?>>> processors) {
        this.values = values;
        this.contract = contract;
        this.processors = processors;
    }

    /**
     * Describes a map.
     *
     * @param name       under which its log is kept
     * @param lookup     of the caller, {@code MethodHandles.lookup()}: its records need not be public
     * @param processors all that may be invoked; the service refuses others
     * @throws io.slipstream.data.schema.SchemaException if a record has no schema; the message names the field
     * @throws IllegalArgumentException                  if a processor does not say its reply
     */
    @SafeVarargs
    public static <V> GridType<V> of(
            String name, Class<V> values, MethodHandles.Lookup lookup, Class<? extends Processor<V, ?>>... processors) {
        Contract.Builder contract = Contract.named(name, lookup)
                .commands(Put.class, Remove.class)
                .queries(Get.class)
                .events(Changed.class);
        List<Class<? extends Processor<V, ?>>> known = new ArrayList<>();
        for (Class<? extends Processor<V, ?>> processor : processors) {
            contract.commands(processor);
            known.add(processor);
        }
        return new GridType<>(Codec.of(values, lookup), contract.build(), known);
    }

    /** Returns a new, empty map for a service or for a member of a cluster. */
    public GridMachine<V> machine() {
        return new GridMachine<>(this);
    }

    /** Connects to the service, or to the cluster, that {@code address} names. */
    public GridMap<V> connect(ServiceClient.Builder address) throws IOException {
        return new GridMap<>(this, TypedClient.of(contract).connect(address));
    }

    /** Returns the commands, queries and events of the service. */
    public Contract contract() {
        return contract;
    }

    List<Class<? extends Processor<V, ?>>> processors() {
        return processors;
    }

    Codec<V> values() {
        return values;
    }

    byte @Nullable [] encode(@Nullable V value) {
        return value == null ? null : values.toBytes(value);
    }

    @Nullable
    V decode(byte @Nullable [] bytes) {
        return bytes == null ? null : values.fromBytes(bytes);
    }
}

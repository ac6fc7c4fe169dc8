package io.slipstream.grid;

import io.slipstream.service.typed.Command;

/**
 * An entry processor: changes one entry where the data is. It is a record, and its fields are its arguments.
 *
 * <pre>{@code
 *   record Sell(String key, int count) implements Processor<Stock, Stock> {
 *       public Stock process(Entry<Stock> entry) { ... }
 *   }
 * }</pre>
 *
 * <p>A processor is a command of the service: it goes into the log, is applied once, and is replayed by the code of the
 * day. So the rules of {@link io.slipstream.service.machine.StateMachine} hold: it uses its fields and its entry, and
 * no clock, no file, no map.
 *
 * @param <V> values of the map
 * @param <R> reply, a record
 */
public interface Processor<V, R> extends Command<R> {
    /** Returns the key of the entry. */
    String key();

    /**
     * Reads and changes the entry. Nothing else happens to the map meanwhile. If this throws an exception, the entry
     * stays as it was, and the caller gets the message in a {@link io.slipstream.service.typed.RejectedException}.
     */
    R process(Entry<V> entry);
}

package io.slipstream.http.api;

import io.slipstream.service.typed.Contract;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All that a gateway offers of one service. Immutable; any thread.
 *
 * @param name       of the service
 * @param operations commands and queries
 * @param items      makes the JSON of what is published to topics; null if nothing is
 * @param pages      of the service's own, beside the dashboard
 */
public record Api(
        String name,
        List<ApiOperation> operations,
        @Nullable ItemText items,
        List<ApiPage> pages) {
    /** Makes JSON of one line of an item of a topic. */
    @FunctionalInterface
    public interface ItemText {
        /** Returns the JSON of the payload. */
        String toJson(MemorySegment memory, long offset, int length);
    }

    /** Copies the lists. */
    public Api {
        operations = List.copyOf(operations);
        pages = List.copyOf(pages);
    }

    /** Creates it without pages of its own. */
    public Api(String name, List<ApiOperation> operations, @Nullable ItemText items) {
        this(name, operations, items, List.of());
    }

    /** Returns the same with one more page. */
    public Api withPage(ApiPage page) {
        return new Api(
                name,
                operations,
                items,
                Stream.concat(pages.stream(), Stream.of(page)).toList());
    }

    /** Returns all of a typed service. */
    public static Api of(Contract contract) {
        return new Api(
                contract.name(),
                contract.operations().stream().map(ApiOperation::of).toList(),
                contract.events().isEmpty() ? null : contract::eventToJson);
    }

    /** Returns the operation at that path, or null. */
    public @Nullable ApiOperation at(String path) {
        for (ApiOperation operation : operations) {
            if (operation.path().equals(path)) {
                return operation;
            }
        }
        return null;
    }
}

package io.slipstream.service.machine;

import io.slipstream.data.evolution.Change;
import io.slipstream.data.evolution.Changes;
import io.slipstream.data.schema.Definition;
import io.slipstream.data.schema.Definitions;
import io.slipstream.data.schema.SchemaException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Compares the records of clients with those of the service. One that is a version of the other's, older or newer, is
 * taken: each side reads what the other one writes, or says for one message that it cannot. Immutable but for what it
 * has found out; any thread.
 */
public final class ClientSchemas {
    /* There are few versions of a client; who makes up more has them compared each time. */
    private static final int MOST_KNOWN = 64;

    private static final int MOST_CHANGES = 5;
    private static final int LEAST_LENGTH = 1 << 16;
    private static final int LENGTHS = 4;

    private final String service;
    private final @Nullable Definitions own;
    private final long fingerprint;
    private final int mostLength;

    /* By the fingerprint that was computed here, and not by the one that a client claims. */
    private final Map<Long, String> refusals = new ConcurrentHashMap<>();

    private ClientSchemas(String service, @Nullable Definitions own, int length) {
        this.service = service;
        this.own = own;
        this.fingerprint = own == null ? 0 : own.fingerprint();
        this.mostLength = Math.max(LEAST_LENGTH, LENGTHS * length);
    }

    /** Returns what compares with the records of a machine; with one that does not describe them, everything passes. */
    public static ClientSchemas of(StateMachine machine) {
        String text = machine instanceof CommandSchema described ? described.clientSchema() : "";
        return new ClientSchemas(machine.name(), text.isBlank() ? null : Definitions.parse(text), text.length());
    }

    /**
     * Returns why a client with these definitions is refused; empty if it is not.
     *
     * @throws SchemaException if they are none
     */
    public String refusal(long claimed, String definitions) {
        if (own == null || claimed == fingerprint || definitions.isBlank()) {
            return "";
        }
        if (definitions.length() > mostLength) {
            throw new SchemaException("the definitions have " + definitions.length()
                    + " characters; this service compares at most " + mostLength);
        }
        try {
            Definitions client = Definitions.parse(definitions);
            long computed = client.fingerprint();
            String known = refusals.get(computed);
            if (known == null) {
                known = compare(client, own, computed);
                if (refusals.size() < MOST_KNOWN) {
                    refusals.put(computed, known);
                }
            }
            return known;
        } catch (StackOverflowError e) {
            throw new SchemaException("types are nested too deep");
        }
    }

    private String compare(Definitions client, Definitions theService, long computed) {
        String both = "the records of this client (schema " + hex(computed) + ") are not those of the service '"
                + service + "' (schema " + hex(fingerprint) + "): ";
        // One without fields, such as Done, tells nothing.
        List<Definition> telling =
                client.all().stream().filter(each -> !each.fields().isEmpty()).toList();
        if (!telling.isEmpty() && telling.stream().allMatch(each -> theService.find(each.name()) == null)) {
            return both + "the client has " + names(client) + ", the service " + names(theService)
                    + "; is it the client of another service?";
        }
        List<Change> breaking = Changes.obstacles(client, theService);
        if (breaking.isEmpty()) {
            return "";
        }
        return both + "from the client to the service, "
                + breaking.stream()
                        .limit(MOST_CHANGES)
                        .map(change -> change.where() + ": " + change.what())
                        .collect(Collectors.joining("; "))
                + (breaking.size() > MOST_CHANGES ? "; and " + (breaking.size() - MOST_CHANGES) + " more" : "")
                + ". Build both from versions of one contract";
    }

    private static String names(Definitions of) {
        return of.all().stream().map(Definition::name).limit(MOST_CHANGES).collect(Collectors.joining(", "))
                + (of.all().size() > MOST_CHANGES ? ", ..." : "");
    }

    private static String hex(long number) {
        return HexFormat.of().toHexDigits(number);
    }
}

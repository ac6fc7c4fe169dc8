package io.slipstream.data.schema;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Definitions that refer to each other, and their text, which {@code slipstream schema show} prints and {@link #parse}
 * reads:
 *
 * <pre>
 *   record Order id 7 version 2 {
 *     1 long id
 *     2 string(16) symbol
 *     3 Side side
 *     4 decimal(2)? limit
 *     5 int venue since 2 default "1"
 *   }
 *
 *   enum Side { BUY, SELL }
 * </pre>
 *
 * @param all of them, the one that was asked for first
 */
public record Definitions(List<Definition> all) {
    /** Copies the list. */
    public Definitions {
        all = List.copyOf(all);
    }

    static Definitions of(Definition root, List<Definition> others) {
        List<Definition> all = new ArrayList<>(List.of(root));
        List<String> wanted = new ArrayList<>(referred(root));
        for (int i = 0; i < wanted.size(); i++) {
            String name = wanted.get(i);
            if (all.stream().noneMatch(d -> d.name().equals(name))) {
                others.stream().filter(d -> d.name().equals(name)).findFirst().ifPresent(d -> {
                    all.add(d);
                    wanted.addAll(referred(d));
                });
            }
        }
        return new Definitions(all);
    }

    private static List<String> referred(Definition definition) {
        List<String> names = new ArrayList<>(definition.variants());
        for (Field field : definition.fields()) {
            Type type = field.type();
            while (type instanceof Type.Sequence list) {
                type = list.element();
            }
            if (type instanceof Type.Reference(String name)) {
                names.add(name);
            }
        }
        return names;
    }

    /**
     * Reads definitions.
     *
     * @throws SchemaException if they are none: the message names line or field
     */
    public static Definitions parse(String text) {
        return DefinitionParser.parse(text);
    }

    /** Returns the definition of this name, or null. */
    public @Nullable Definition find(String name) {
        return all.stream().filter(d -> d.name().equals(name)).findFirst().orElse(null);
    }

    /** Returns the record of this number, or null. */
    public @Nullable Definition find(int id) {
        return all.stream()
                .filter(d -> d.id() == id && !d.isUnion())
                .findFirst()
                .orElse(null);
    }

    /** Returns the definition of this name, which another one refers to. */
    public Definition get(String name) {
        Definition found = find(name);
        if (found == null) {
            throw new SchemaException(name + ": no definition has this name; add it, or mend what refers to it");
        }
        return found;
    }

    /** Returns the enums that fields have, by name; not those that only removed fields had. */
    public Map<String, Type.Enumeration> enums() {
        Map<String, Type.Enumeration> enums = new LinkedHashMap<>();
        for (Definition definition : all) {
            for (Field field : definition.fields()) {
                Type type = field.type();
                while (type instanceof Type.Sequence list) {
                    type = list.element();
                }
                if (type instanceof Type.Enumeration e && !field.isRemoved()) {
                    Type.Enumeration other = enums.get(e.name());
                    enums.put(
                            e.name(),
                            other == null
                                            || other.constants().size()
                                                    < e.constants().size()
                                    ? e
                                    : other);
                }
            }
        }
        return enums;
    }

    /**
     * Returns 64 bits that tell definitions from others, constants of enums, limits and defaults included: the first
     * eight bytes, big-endian, of the SHA-256 of {@link #toString} in UTF-8. A version with more is another one.
     */
    public long fingerprint() {
        try {
            byte[] text = toString().getBytes(StandardCharsets.UTF_8);
            return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(text))
                    .getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** Returns the text that {@link #parse} reads. */
    @Override
    public String toString() {
        return DefinitionText.of(this);
    }
}

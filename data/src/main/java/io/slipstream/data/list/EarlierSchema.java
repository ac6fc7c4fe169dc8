package io.slipstream.data.list;

import io.slipstream.core.memory.Region;
import io.slipstream.core.thread.Undisturbed;
import io.slipstream.data.column.Block;
import io.slipstream.data.column.BlockLayout;
import io.slipstream.data.column.Table;
import io.slipstream.data.evolution.Change;
import io.slipstream.data.evolution.Changes;
import io.slipstream.data.schema.Definition;
import io.slipstream.data.schema.Definitions;
import io.slipstream.data.schema.Field;
import io.slipstream.data.schema.Schema;
import io.slipstream.data.schema.SchemaException;
import io.slipstream.data.schema.Type;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * What a list that was written with an earlier version of a schema has of the columns of a later one: the first of
 * them, as fields that were added come last.
 *
 * @param fields how many of the fields that have columns
 * @param columns how many of the columns
 */
record EarlierSchema(int fields, int columns) {
    private static final int ZEROS = 1 << 16;

    /**
     * Compares the schema that a list was written with with the one that it is opened with.
     *
     * @throws IOException if the later one does more than adding fields to the elements and constants to enums
     */
    static EarlierSchema of(Path file, String stored, Schema<?> schema, Columns columns) throws IOException {
        Definitions after = schema.definitions();
        if (stored.equals(after.toString())) {
            return new EarlierSchema(columns.all().size(), columns.widths().size());
        }
        Definitions before;
        try {
            before = Definitions.parse(stored);
        } catch (SchemaException e) {
            throw ListCommit.damaged(file, "its schema is none: " + e.getMessage());
        }
        String why = obstacle(before, after);
        if (!why.isEmpty()) {
            throw new IOException(file + " is of another schema: " + why + ". It was written with:\n" + stored
                    + "\nand is opened with:\n" + schema
                    + "\nOpen it with the type it was written with, and copy the elements to a new list");
        }
        return kept(before.all().getFirst(), columns);
    }

    private static String obstacle(Definitions before, Definitions after) {
        Definition old = before.all().getFirst();
        Definition young = after.all().getFirst();
        if (!old.name().equals(young.name())) {
            return old.name() + " is not " + young.name();
        }
        for (Change change : Changes.between(before, after)) {
            if (!change.isAllowed()) {
                return change.toString();
            }
        }
        for (int i = 0; i < old.fields().size(); i++) {
            Field field = old.fields().get(i);
            if (field.isRemoved() != young.fields().get(i).isRemoved()) {
                return old.name() + "." + field.name() + " was removed, and a list cannot drop its column";
            }
        }
        for (Definition nested : before.all()) {
            Definition other = after.find(nested.name());
            if (!nested.name().equals(old.name()) && (other == null || nested.version() != other.version())) {
                return nested.name() + " has changed, and a list adds fields to its elements only";
            }
        }
        for (Field field :
                young.fields().subList(old.fields().size(), young.fields().size())) {
            if (field.type() instanceof Type.Reference && !field.isOptional()) {
                return young.name() + "." + field.name() + " is new and not optional";
            }
        }
        return "";
    }

    private static EarlierSchema kept(Definition old, Columns columns) {
        int fields = 0;
        int end = 0;
        for (Columns.Node node : columns.fields()) {
            int id = node.property().field().id();
            if (old.fields().stream().anyMatch(f -> f.id() == id)) {
                fields += leaves(node);
                end = switch (node) {
                    case Columns.Leaf leaf -> columns.all().get(leaf.number()).next();
                    case Columns.Group group -> group.end();
                };
            }
        }
        return new EarlierSchema(fields, end);
    }

    private static int leaves(Columns.Node node) {
        return switch (node) {
            case Columns.Leaf _ -> 1;
            case Columns.Group group -> leaves(group.fields());
        };
    }

    private static int leaves(List<Columns.Node> nodes) {
        return nodes.stream().mapToInt(EarlierSchema::leaves).sum();
    }

    /** Compares all blocks with their checksums, before one of them grows. */
    void verify(Table table, BlockFiles blocks, ListCommit commit) throws IOException {
        BlockLayout layout = table.layout();
        long bytes = layout.bytes(columns);
        for (int i = 0; i < commit.checksums().size(); i++) {
            boolean isSealed = commit.isSealed(i);
            Path file = isSealed ? blocks.sealedFile(i) : blocks.file(i);
            try (Region region = Region.openReadOnly(file)) {
                if (!isSealed && region.byteSize() < bytes) {
                    throw ListCommit.damaged(file, "it has " + region.byteSize() + " bytes instead of " + bytes);
                }
                Block block = new Block(
                        region.segment(),
                        isSealed ? ListFolder.sealed(layout, columns, region, file, commit.rowsOf(i)) : null);
                ListCommit.verify(
                        layout,
                        columns,
                        file,
                        block,
                        commit.rowsOf(i),
                        commit.checksums().get(i));
            } catch (UncheckedIOException e) {
                throw e.getCause();
            }
        }
    }

    /** Opens a block of an earlier schema, whose columns are the first, and makes room for the others, all zero. */
    Block grown(Table table, BlockFiles blocks, int number) throws IOException {
        Path file = blocks.file(number);
        BlockLayout layout = table.layout();
        long bytes = layout.bytes(columns);
        Undisturbed.call(() -> {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                // What a process has added that was killed before it committed.
                channel.truncate(bytes);
                ByteBuffer zeros = ByteBuffer.allocate(ZEROS);
                for (long at = bytes; at < layout.bytes(); ) {
                    zeros.clear().limit((int) Math.min(zeros.capacity(), layout.bytes() - at));
                    at += channel.write(zeros, at);
                }
            }
            return file;
        });
        Region region = Region.open(file);
        blocks.add(region, false);
        return new Block(region.segment());
    }

    /** Opens a sealed block of an earlier schema as one that is not sealed, with room for the other columns. */
    Block unsealed(Table table, BlockFiles blocks, int number) throws IOException {
        BlockLayout layout = table.layout();
        Path sealedFile = blocks.sealedFile(number);
        try (Region sealed = Region.openReadOnly(sealedFile)) {
            // What a process has left that was killed before it committed.
            Files.deleteIfExists(blocks.file(number));
            Region region = Region.create(blocks.file(number), layout.bytes());
            blocks.addUnsealed(region);
            ListFolder.sealed(layout, columns, sealed, sealedFile, layout.rowsPerBlock())
                    .decode(layout, sealed.segment(), region.segment());
            return new Block(region.segment());
        }
    }
}

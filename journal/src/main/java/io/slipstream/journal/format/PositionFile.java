package io.slipstream.journal.format;

import io.slipstream.journal.errors.JournalCorruptException;
import io.slipstream.journal.errors.JournalVersionException;
import io.slipstream.journal.storage.Storage;
import io.slipstream.journal.storage.StorageFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * A sequence that is kept durably in a file of its own, as the position of a named tailer is: two slots of a sector
 * each, written in turn, so that one is always whole. Both are written when the file is created, so that one that is
 * blank or missing later is known to be lost.
 *
 * <pre>
 *    0  long  magic "SLIPTAIL"     24  long  sequence
 *    8  int   version: 3           32  long  journal id, upper half
 *   12  int   1 if the records     40  long  journal id, lower half
 *             up to the sequence   48  int   CRC-32C of the file's name,
 *             had been forced                and of bytes 0 to 47
 *   16  long  count of moves
 * </pre>
 *
 * <p>The checksum begins with the name of the file, and the slot follows from the count of moves, so that what a drive
 * has written into a wrong place is damage there.
 *
 * <p>Version 2 has a checksum without the name. Version 1 has no journal id, a zero in place of the flag, and its
 * checksum at offset 32. They are read, and each slot is written in version 3 with its next move. In an older file only
 * the slot of move 1 was written when it was created; the other one is blank until move 2. For one thread.
 */
public final class PositionFile implements AutoCloseable {
    private static final long MAGIC = 0x4C49_4154_5049_4C53L;
    private static final int VERSION = 3;
    private static final int UNNAMED_VERSION = 2;
    private static final int SLOT_BYTES = 512;
    private static final int VERSION_OFFSET = 8;
    private static final int FORCED_OFFSET = 12;
    private static final int MOVES_OFFSET = 16;
    private static final int SEQUENCE_OFFSET = 24;
    private static final int ID_OFFSET = 32;
    private static final int USED_BYTES = 52;

    private final StorageFile file;
    private final byte[] name;
    private final UUID journalId;
    private final ByteBuffer slot = ByteBuffer.allocateDirect(USED_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private long moves;
    private Content content = new Content(0, false, Optional.empty(), "there is no position in it");

    /**
     * What a file says.
     *
     * @param sequence  in the newest slot that is whole, or -1 if none is
     * @param forced    whether all records up to it had been forced when it was written
     * @param journalId of the journal that it belongs to; empty in version 1
     * @param damage    what is wrong with a slot, or an empty text
     */
    public record Content(long sequence, boolean forced, Optional<UUID> journalId, String damage) {
        /** Returns whether there is a sequence. */
        public boolean isPresent() {
            return sequence >= 0;
        }

        /** Returns whether no slot is damaged. */
        public boolean isWhole() {
            return damage.isEmpty();
        }

        /** Returns what is wrong with it as one of the journal with this id; an empty text if nothing is. */
        public String damageFor(UUID journal) {
            return isWhole() && !isOf(journal) ? "it belongs to another journal" : damage;
        }

        /** Returns whether it belongs, as far as it says so, to the journal with this id. */
        public boolean isOf(UUID journal) {
            return journalId.isEmpty() || journalId.get().equals(journal);
        }
    }

    private PositionFile(StorageFile file, String name, UUID journalId) {
        this.file = file;
        this.name = name.getBytes(StandardCharsets.UTF_8);
        this.journalId = journalId;
    }

    /**
     * Creates the file {@code name} at {@code initial}, in place of one that is there. Its name is durable once the
     * caller has synchronised the folder.
     *
     * @param forced whether all records up to {@code initial} have been forced
     */
    public static void create(Storage storage, String name, UUID journalId, long initial, boolean forced)
            throws IOException {
        String unfinished = name + FileName.UNFINISHED;
        try (StorageFile created = storage.createAnew(unfinished)) {
            created.writeFully(ByteBuffer.allocateDirect(2 * SLOT_BYTES), 0);
            PositionFile position = new PositionFile(created, name, journalId);
            position.move(initial, forced);
            position.move(initial, forced);
            position.force();
        }
        storage.rename(unfinished, name);
    }

    /**
     * Returns what the file {@code name} says; empty if there is no such file.
     *
     * @throws JournalVersionException if a newer version has written it, as the other ways to read one do
     */
    public static Optional<Content> find(Storage storage, String name) throws IOException {
        try (PositionFile position = new PositionFile(storage.openForReading(name), name, new UUID(0, 0))) {
            position.readSlots();
            return Optional.of(position.content);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /**
     * Returns the sequence in the file {@code name}.
     *
     * @throws NoSuchFileException     if there is none
     * @throws JournalCorruptException if a slot of it is damaged
     */
    public static long read(Storage storage, String name) throws IOException {
        try (PositionFile position = new PositionFile(storage.openForReading(name), name, new UUID(0, 0))) {
            position.requireSlots(storage);
            return position.sequence();
        }
    }

    /**
     * Opens the file {@code name}, which is there.
     *
     * @throws JournalCorruptException if a slot of it is damaged, or it belongs to another journal
     */
    public static PositionFile open(Storage storage, String name, UUID journalId) throws IOException {
        PositionFile position = new PositionFile(storage.open(name), name, journalId);
        try {
            position.requireSlots(storage);
            if (!position.content.isOf(journalId)) {
                throw new JournalCorruptException(
                        name, 0, name + " in " + storage.description() + " belongs to another journal; move it away");
            }
            return position;
        } catch (IOException | RuntimeException | Error e) {
            position.close();
            throw e;
        }
    }

    /**
     * Moves the sequence in the file {@code name} back to {@code last} if it is ahead of that, and makes it durable in
     * any case: what is seen now may not be on the device, if a force has failed before. All records up to {@code last}
     * have been forced. A file with a damaged slot is left as it is, unless it is to be repaired; one without a
     * position, one of another journal, and a skip of another record, always.
     *
     * @return whether it was ahead, or was repaired
     */
    public static boolean bringBack(Storage storage, String name, UUID journalId, long last, boolean repair)
            throws IOException {
        Content found;
        try (PositionFile position = new PositionFile(storage.open(name), name, journalId)) {
            position.readSlots();
            found = position.content;
            boolean isOfOther = FileName.parseSkip(name).orElse(found.sequence()) != found.sequence();
            if (!found.isPresent() || !found.isOf(journalId) || isOfOther) {
                return false;
            }
            if (found.isWhole()) {
                position.move(Math.min(found.sequence(), last), true);
                position.force();
                return found.sequence() > last;
            }
        }
        if (repair) {
            create(storage, name, journalId, Math.min(found.sequence(), last), true);
            storage.syncDirectory();
        }
        return repair;
    }

    /** Returns the sequence, of a tailer that of the last record that was handled. */
    public long sequence() {
        return content.sequence();
    }

    /**
     * Writes a new position; if that fails, the one before holds.
     *
     * @param forced whether all records up to it have been forced
     */
    public void move(long newSequence, boolean forced) throws IOException {
        long next = moves + 1;
        slot.clear()
                .putLong(MAGIC)
                .putInt(VERSION)
                .putInt(forced ? 1 : 0)
                .putLong(next)
                .putLong(newSequence)
                .putLong(journalId.getMostSignificantBits())
                .putLong(journalId.getLeastSignificantBits());
        slot.putInt(checksum(VERSION)).flip();
        file.writeFully(slot, (next & 1) * SLOT_BYTES);
        moves = next;
        content = new Content(newSequence, forced, Optional.of(journalId), "");
    }

    /** Makes the position durable. */
    public void force() throws IOException {
        file.force();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    private void requireSlots(Storage storage) throws IOException {
        readSlots();
        if (!content.isWhole()) {
            String rest = content.isPresent()
                    ? "; the other slot says " + content.sequence()
                            + ", which may be older. `slipstream journal repair " + storage.description()
                            + "` goes back to that"
                    : "; remove the file to begin anew";
            throw new JournalCorruptException(
                    file.name(), 0, file.name() + " in " + storage.description() + ": " + content.damage() + rest);
        }
    }

    /** Reads the newer slot of those that are whole. */
    private void readSlots() throws IOException {
        String damage = "";
        int blank = -1;
        for (int i = 0; i < 2; i++) {
            slot.clear();
            file.readFully(slot, (long) i * SLOT_BYTES);
            if (!slot.hasRemaining() && isBlank()) {
                blank = i;
                continue;
            }
            int version = slot.hasRemaining() ? 0 : wholeVersion();
            if (version == 0) {
                damage = named(i)
                        + (slot.hasRemaining()
                                ? " is missing: the file is too short"
                                : " is damaged, or is that of another file");
            } else if ((slot.getLong(MOVES_OFFSET) & 1) != i) {
                damage = named(i) + " is damaged: it holds what was written for the other one";
            } else if (slot.getLong(MOVES_OFFSET) > moves) {
                moves = slot.getLong(MOVES_OFFSET);
                content = content(version);
            }
        }
        if (blank >= 0 && moves > 1) {
            // The slots are written in turn: the other one was written before this one was for the second time.
            damage = named(blank) + " is lost: it holds zeros although it was written";
        }
        if (moves == 0) {
            content =
                    new Content(-1, false, Optional.empty(), damage.isEmpty() ? "it holds no valid position" : damage);
        } else {
            content = new Content(content.sequence(), content.forced(), content.journalId(), damage);
        }
    }

    private static String named(int slot) {
        return "slot " + slot + " (offset " + slot * SLOT_BYTES + ")";
    }

    private Content content(int version) {
        return new Content(
                slot.getLong(SEQUENCE_OFFSET),
                version > 1 && slot.getInt(FORCED_OFFSET) == 1,
                version == 1
                        ? Optional.empty()
                        : Optional.of(new UUID(slot.getLong(ID_OFFSET), slot.getLong(ID_OFFSET + Long.BYTES))),
                "");
    }

    private boolean isBlank() {
        for (int i = 0; i < slot.position(); i++) {
            if (slot.get(i) != 0) {
                return false;
            }
        }
        return true;
    }

    /** Returns the version of the slot, or 0 if it is damaged. */
    private int wholeVersion() throws JournalVersionException {
        int version = slot.getInt(VERSION_OFFSET);
        if (slot.getLong(0) != MAGIC) {
            return 0;
        }
        if (version >= 1 && version <= VERSION) {
            return hasChecksumOf(slot, version) ? version : 0;
        }
        // With a known version in its place, the checksum tells a bit that has flipped from a version to come.
        boolean flipped = false;
        for (int known = 1; known <= VERSION; known++) {
            flipped |= hasChecksumOf(slot.putInt(VERSION_OFFSET, known), known);
        }
        if (version > VERSION && !flipped) {
            throw new JournalVersionException(file.name(), version, VERSION);
        }
        return 0;
    }

    private boolean hasChecksumOf(ByteBuffer in, int version) {
        return in.getInt(checksumOffset(version)) == checksum(version);
    }

    private int checksum(int version) {
        CRC32C crc = new CRC32C();
        if (version > UNNAMED_VERSION) {
            crc.update(name);
        }
        crc.update(slot.duplicate().position(0).limit(checksumOffset(version)));
        return (int) crc.getValue();
    }

    private static int checksumOffset(int version) {
        return version == 1 ? ID_OFFSET : USED_BYTES - Integer.BYTES;
    }
}

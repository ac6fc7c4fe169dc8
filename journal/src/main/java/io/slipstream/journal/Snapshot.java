package io.slipstream.journal;

import io.slipstream.journal.segment.SegmentHeader;
import io.slipstream.journal.segment.SegmentScan;
import io.slipstream.journal.segment.Window;
import io.slipstream.journal.storage.Storage;
import io.slipstream.journal.storage.StorageFile;

import java.io.IOException;

/**
 * A snapshot that is whole: every checksum was verified when it was found.
 *
 * @param storage   where it is
 * @param name      of its file
 * @param header    of its file
 * @param sequence  of the last record whose effect is in it
 * @param records   in it
 * @param bytes     of its file
 */
public record Snapshot(Storage storage, String name, SegmentHeader header, long sequence, long records, long bytes) {
    /**
     * Hands out the records of the snapshot in the order in which they were written.
     *
     * @throws JournalCorruptException if one is damaged
     */
    public void read(RecordHandler handler) throws JournalException {
        try (StorageFile file = storage.openForReading(name)) {
            SegmentScan scan = new SegmentScan(file, header, new Window(Snapshots.WINDOW_BYTES));
            SegmentScan.Step step = scan.next();
            while (step != SegmentScan.Step.END) {
                if (step == SegmentScan.Step.DAMAGE) {
                    throw new JournalCorruptException(name, scan.offset(), name + " in " + storage.description()
                            + " is damaged at offset " + scan.offset() + ": " + scan.damage());
                }
                if (step == SegmentScan.Step.RECORD) {
                    handler.onRecord(scan.memory(), scan.memoryOffset(), scan.length());
                }
                step = scan.next();
            }
        } catch (JournalException e) {
            throw e;
        } catch (IOException e) {
            throw new JournalException("cannot read " + name + " in " + storage.description() + ": " + e.getMessage(), e);
        }
    }
}

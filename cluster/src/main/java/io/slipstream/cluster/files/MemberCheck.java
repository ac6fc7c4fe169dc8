package io.slipstream.cluster.files;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads all that a member keeps of its log, and checks it. */
public final class MemberCheck {
    private MemberCheck() {}

    /**
     * One recording, and whether it is whole.
     *
     * @param what   the log, or a snapshot of the engine or of the state machine
     * @param start  position of its first byte
     * @param end    position behind its last whole frame
     * @param damage what is there that should not be; empty if nothing is
     */
    public record Finding(String what, long recording, long start, long end, String damage) {
        /** Returns whether nothing is wrong with it. */
        public boolean isWhole() {
            return damage.isEmpty();
        }
    }

    /** Checks the member in a folder, which may run: then the end of the log may be half written. */
    public static List<Finding> of(Path directory) throws IOException {
        MemberLog log = MemberLog.of(directory);
        List<Finding> findings = new ArrayList<>();
        findings.add(check("log", log.frames(), log.recording()));
        for (TermEntry entry : log.terms().all()) {
            if (entry.isSnapshot() && entry.position() >= log.start()) {
                String what = entry.service() == TermEntry.ENGINE ? "snapshot of the engine" : "snapshot";
                Recording recording = log.recording(entry.recording());
                findings.add(check(what, log.frames(recording), recording));
            }
        }
        return findings;
    }

    private static Finding check(String what, RecordedFrames frames, Recording of) throws IOException {
        long to = of.stop() == Recording.RUNNING ? Long.MAX_VALUE : of.stop();
        long end = frames.read(of.start(), to, (position, frame) -> {});
        String damage = frames.damage();
        if (damage == null && of.stop() != Recording.RUNNING && end < of.stop()) {
            damage = "it ends before position " + of.stop();
        }
        return new Finding(what, of.id(), of.start(), end, damage == null ? "" : damage);
    }
}

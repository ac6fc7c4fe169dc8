package io.slipstream.sim.pair;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.testkit.MutantTable;
import io.slipstream.testkit.TwinLoader;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two sites with a few words changed, each time in one place; the simulation must find what that breaks. */
@Tag("long")
class BrokenPairTest {
    private static final String REPLICA = "replica/src/main/java/io/slipstream/replica/";

    @TempDir
    private Path folder;

    @Test
    void findsAPrimaryThatAnswersWhatItHasOnlySent() throws Exception {
        find(
                "answers what the backup has only been sent",
                "primary/JournalPush.java",
                "return config.level() == PushLevel.ASYNC || acknowledged.getAcquire() >= sequence;",
                "return config.level() == PushLevel.ASYNC || sent >= sequence;");
    }

    @Test
    void findsABackupThatAcknowledgesWhatItHasNotForced() throws Exception {
        find(
                "acknowledges what the backup has not forced",
                "backup/Intake.java",
                "unacknowledgedBytes = 0;\n        journal.commit();",
                "unacknowledgedBytes = 0;\n        if (journal.nextSequence() % 4 == 0) {\n"
                        + "            journal.commit();\n        }");
    }

    @Test
    void findsAFormerPrimaryThatIgnoresItsFence() throws Exception {
        find(
                "ignores the fence",
                "primary/BackupAddress.java",
                "case FENCED -> throw fenced(site, link.number(), link.number());",
                "case FENCED -> throw new IOException(\"it was promoted\");");
    }

    @Test
    void findsAPromotionThatIsForgotten() throws Exception {
        find(
                "forgets that it was promoted",
                "backup/BackupSite.java",
                "Site next = site.promoted(lastSequence);\n"
                        + "                next.write(service.host(), service.directory());",
                "Site next = site.promoted(lastSequence);");
    }

    @Test
    void findsASecondOperatorWhoIsToldTooEarly() throws Exception {
        find(
                "tells the second operator too early",
                "backup/BackupSite.java",
                "return promotion.get(\"the site is promoted, but its journal was not closed in order: \");",
                "return new Promotion(site.term(), lastSequence);");
    }

    @Test
    void findsABackupThatStoresABatchTwice() throws Exception {
        find(
                "stores a batch twice behind a reconnect",
                "backup/Intake.java",
                "private long unacknowledgedBytes;",
                "private long unacknowledgedBytes;\n    private boolean isNew;",
                "catchingUp = false;",
                "catchingUp = false;\n        isNew = true;",
                "        return bytes;\n    }\n\n    /** All of it",
                "        if (isNew && bytes <= journal.maxAppendBytes()) {\n            isNew = false;\n"
                        + "            journal.append(frames, 0, bytes);\n        }\n"
                        + "        return bytes;\n    }\n\n    /** All of it");
    }

    private void find(String twin, String source, String... replacements) throws Exception {
        Class<?> lives =
                Class.forName(TwinPairs.class.getName(), true, TwinLoader.of(folder, REPLICA + source, replacements));
        Object found = lives.getMethod("firstFinding", int.class)
                .invoke(null, MutantTable.in("docs/simulation.md").seeds(twin));
        System.out.println("twin that " + twin + ": " + found);
        assertThat(found).asString().startsWith("seed ");
    }
}

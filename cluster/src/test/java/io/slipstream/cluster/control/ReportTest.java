package io.slipstream.cluster.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

class ReportTest {
    @Test
    @ResourceLock(Resources.LOCALE)
    void isReadWhereverItWasWritten() {
        Locale before = Locale.getDefault();
        Report report = new Report(1, 2, false, true, 1_234_567, -5, 3, 1L << 40, 4, "17,41207");
        try {
            Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
            assertThat(Report.of(report.line())).isEqualTo(report);
        } finally {
            Locale.setDefault(before);
        }
    }
}

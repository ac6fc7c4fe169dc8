package io.slipstream.data.arrow;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The values that columns of indexes refer to. Only texts are read. */
final class ArrowDictionary {
    private final ArrowVector values;
    private final List<@Nullable String> texts = new ArrayList<>();

    ArrowDictionary(ArrowVector values) {
        this.values = values;
    }

    ArrowVector values() {
        return values;
    }

    /** Takes the values of a batch in place of those of before, or behind them. */
    void load(BatchBuffers from, boolean isDelta) throws IOException {
        if (values.kind() != ArrowVector.Kind.TEXT) {
            return;
        }
        values.load(from);
        if (!isDelta) {
            texts.clear();
        }
        for (int i = 0; i < from.rows(); i++) {
            texts.add(values.isThere(i) ? values.text(i) : null);
        }
    }

    /** Returns a text, null if that is the value; there may be none of this index. */
    @Nullable
    String text(long index, String column) throws IOException {
        if (index < 0 || index >= texts.size()) {
            throw BatchBuffers.damaged(
                    column, "it has index " + index + " of a dictionary of " + texts.size() + " values");
        }
        return texts.get((int) index);
    }
}

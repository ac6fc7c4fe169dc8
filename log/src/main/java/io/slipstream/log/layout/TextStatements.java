package io.slipstream.log.layout;

import io.slipstream.data.text.TextBuffer;
import io.slipstream.log.event.Event;
import io.slipstream.log.event.EventLayout;
import io.slipstream.log.event.Level;
import java.util.HashMap;
import java.util.Map;

/**
 * What layouts need for events that have their messages in their own arguments, by logger and level. For one thread.
 */
public final class TextStatements {
    private static final int MOST = 1024;
    private static final int MOST_CHARACTERS = 1 << 18;

    private record Key(Level level, String logger) {}

    private final Map<Key, Statement> known = new HashMap<>();
    private final TextBuffer name = new TextBuffer(64);
    private int characters;

    /** Creates one. */
    public TextStatements() {}

    /** Returns what the event needs, whose site {@link EventLayout#isText} knows. */
    public Statement of(Event event) {
        name.clear();
        event.appendLogger(name);
        Key key = new Key(EventLayout.textLevel(event.site()), name.toString());
        Statement found = known.get(key);
        if (found == null) {
            if (known.size() == MOST || characters > MOST_CHARACTERS) {
                known.clear();
                characters = 0;
            }
            characters += key.logger.length();
            found = Statement.ofTexts(key.level, key.logger);
            known.put(key, found);
        }
        return found;
    }
}

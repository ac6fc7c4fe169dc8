package io.slipstream.data.evolution;

import io.slipstream.data.schema.Definition;
import io.slipstream.data.schema.Definitions;
import io.slipstream.data.schema.Field;
import io.slipstream.data.schema.SchemaException;
import io.slipstream.data.schema.Type;
import io.slipstream.data.schema.TypeText;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All differences between two versions of a schema. */
public final class Changes {
    private static final long MOST_LOOKS = 1_000_000;

    private final Definitions before;
    private final Definitions after;
    private final List<Change> changes = new ArrayList<>();

    private Changes(Definitions before, Definitions after) {
        this.before = before;
        this.after = after;
    }

    /** Returns the differences, type by type; none if the two are the same. */
    public static List<Change> between(Definitions before, Definitions after) {
        Changes changes = new Changes(before, after);
        changes.compare();
        return List.copyOf(changes.changes);
    }

    /** Returns whether a reader of {@code after} can read all bytes that a writer of {@code before} wrote. */
    public static boolean staysReadable(Definitions before, Definitions after) {
        return between(before, after).stream().allMatch(Change::isAllowed);
    }

    /**
     * Returns what keeps a reader from what a writer writes; none if each type of the one is a version of the other's,
     * older or newer. Then the reader skips what a newer version has added, and refuses a single message that it cannot
     * read, such as one with a constant of an enum that it does not have; it misreads none.
     *
     * @throws SchemaException if the writer's definitions have more fields and versions, or are nested deeper, than can
     *         be compared in a short time
     */
    public static List<Change> obstacles(Definitions writer, Definitions reader) {
        requireModest(writer);
        try {
            Set<String> back = new HashSet<>();
            for (Change change : between(reader, writer)) {
                if (!change.isAllowed()) {
                    back.add(type(change));
                }
            }
            return between(writer, reader).stream()
                    .filter(change -> !change.isAllowed() && back.contains(type(change)))
                    .toList();
        } catch (StackOverflowError e) {
            throw new SchemaException("types are nested too deep");
        }
    }

    /** The comparison looks at each field in each version. */
    private static void requireModest(Definitions writer) {
        long looks = 0;
        for (Definition each : writer.all()) {
            looks += (long) each.version() * (each.fields().size() + 1);
        }
        if (looks > MOST_LOOKS) {
            throw new SchemaException("there are more fields and versions than can be compared");
        }
    }

    private static String type(Change change) {
        int dot = change.where().indexOf('.');
        return dot < 0 ? change.where() : change.where().substring(0, dot);
    }

    private void compare() {
        Set<String> wentWithFields = GoneRecords.withFields(before, after);
        for (Definition old : before.all()) {
            Definition young = after.find(old.name());
            if (young == null && wentWithFields.contains(old.name())) {
                allowed(old.name(), "is gone with the fields that had it");
            } else if (young == null) {
                breaking(old.name(), "is gone; keep it for as long as its bytes are kept");
            } else {
                compare(old, young);
            }
        }
        for (Definition young : after.all()) {
            if (before.find(young.name()) == null) {
                allowed(young.name(), "is new");
            }
        }
        before.enums().forEach((name, old) -> compare(old, after.enums().get(name)));
    }

    private void compare(Definition old, Definition young) {
        String name = old.name();
        if (old.isUnion() != young.isUnion()) {
            breaking(name, "was " + (old.isUnion() ? "one of several records" : "a record") + " and is the other now");
            return;
        }
        if (old.isUnion()) {
            variants(old, young);
            return;
        }
        if (old.id() != young.id()) {
            breaking(name, "had id " + old.id() + " and has " + young.id() + "; say @Id(" + old.id() + ")");
        }
        int count = changes.size();
        for (Field field : old.fields()) {
            field(
                    name,
                    field,
                    young.fields().stream()
                            .filter(f -> f.id() == field.id())
                            .findFirst()
                            .orElse(null),
                    young);
        }
        for (Field field : young.fields()) {
            if (old.fields().stream().noneMatch(f -> f.id() == field.id())) {
                added(name + "." + field.name(), field, old.version());
            }
        }
        headers(old, young, count);
    }

    /** The last word has what the reader compares: headers of all versions that there were. */
    private void headers(Definition old, Definition young, int count) {
        for (int version = 1; version <= old.version(); version++) {
            boolean isKnown = version <= young.version() && old.header(version) == young.header(version);
            if (!isKnown
                    && changes.subList(count, changes.size()).stream().allMatch(Change::isAllowed)
                    && old.id() == young.id()) {
                breaking(old.name(), "version " + version + " is written in another way, or no longer known");
            }
        }
    }

    private void variants(Definition old, Definition young) {
        for (String variant : old.variants()) {
            if (!young.variants().contains(variant)) {
                breaking(old.name(), "lost " + variant + ", of which there may be bytes");
            }
        }
        for (String variant : young.variants()) {
            if (!old.variants().contains(variant)) {
                allowed(old.name(), "gained " + variant + "; older readers refuse it");
            }
        }
    }

    private void field(String owner, Field old, @Nullable Field young, Definition definition) {
        String where = owner + "." + old.name();
        if (young == null) {
            breaking(
                    where,
                    "is gone; say @Removed(name = \"" + old.name() + "\", id = " + old.id() + ", type = \""
                            + TypeText.ofRemoved(old.type()) + (old.isOptional() ? "?" : "") + "\""
                            + (old.since() == 1 ? "" : ", since = " + old.since()) + ", in = "
                            + (definition.version() + 1)
                            + ") on " + owner);
        } else if (!young.name().equals(old.name())) {
            breaking(
                    where,
                    "its id " + old.id() + " is now that of " + young.name() + "; say @Name(\"" + old.name()
                            + "\") if that is another name for it, else @Since on what was added");
        } else {
            sameField(where, old, young);
        }
    }

    private void sameField(String where, Field old, Field young) {
        if (old.isOptional() != young.isOptional()) {
            breaking(
                    where,
                    "was " + (old.isOptional() ? "" : "not ") + "optional and is " + (young.isOptional() ? "" : "not ")
                            + "optional now");
        }
        if (old.since() != young.since()) {
            breaking(where, "was added in version " + old.since() + ", not " + young.since());
        }
        if (old.isRemoved() && !young.isRemoved()) {
            breaking(where, "was removed in version " + old.removedIn() + "; give what comes back a new name");
        } else if (!old.isRemoved() && young.isRemoved()) {
            allowed(where, "was removed; older readers see it as empty");
        }
        if (!Objects.equals(old.defaultText(), young.defaultText())) {
            allowed(where, "has another default");
        }
        type(where, old.type(), young.type());
    }

    private void type(String where, Type old, Type young) {
        if (old instanceof Type.Text(int was) && young instanceof Type.Text(int is)) {
            limit(where, was, is);
        } else if (old instanceof Type.Array a
                && young instanceof Type.Array b
                && a.element() == b.element()
                && !a.isExact()
                && !b.isExact()) {
            limit(where, a.maxLength(), b.maxLength());
        } else if (old instanceof Type.Sequence(Type a, int was) && young instanceof Type.Sequence(Type b, int is)) {
            limit(where, was, is);
            type(where, a, b);
        } else if (!TypeText.of(old).equals(TypeText.of(young)) || old.slotBytes() != young.slotBytes()) {
            breaking(where, "was " + TypeText.of(old) + " and is " + TypeText.of(young) + "; add a new field instead");
        }
    }

    private void limit(String where, int was, int is) {
        if (is != 0 && (was == 0 || is < was)) {
            breaking(
                    where,
                    "its limit fell from " + (was == 0 ? "none" : was) + " to " + is + "; old values may be longer");
        } else if (is != was) {
            allowed(where, "its limit rose from " + was + " to " + (is == 0 ? "none" : is));
        }
    }

    private void added(String where, Field field, int oldVersion) {
        if (field.since() <= oldVersion) {
            breaking(
                    where,
                    "is new, but says that it was there in version " + field.since() + "; say @Since("
                            + (oldVersion + 1)
                            + ")");
        } else {
            allowed(where, "was added in version " + field.since());
        }
    }

    private void compare(Type.Enumeration old, Type.@Nullable Enumeration young) {
        if (young == null) {
            return;
        }
        int common = Math.min(old.constants().size(), young.constants().size());
        if (!old.constants().subList(0, common).equals(young.constants().subList(0, common))
                || common < old.constants().size()) {
            breaking(
                    old.name(),
                    "its constants were " + old.constants() + "; keep them in their order, and add new ones behind");
        } else if (young.constants().size() > common) {
            allowed(
                    old.name(),
                    "gained "
                            + young.constants()
                                    .subList(common, young.constants().size()) + "; older readers refuse them");
        }
    }

    private void breaking(String where, String what) {
        changes.add(new Change(where, what, false));
    }

    private void allowed(String where, String what) {
        changes.add(new Change(where, what, true));
    }
}

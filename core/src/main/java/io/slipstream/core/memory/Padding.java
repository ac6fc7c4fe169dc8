package io.slipstream.core.memory;

/**
 * {@link CacheLine#PADDING_BYTES} of padding in front of the fields of a subclass, for classes with hot fields of their
 * own.
 *
 * <pre>
 *   Padding ◀── XState ◀── XState.Padded ◀── X
 *   in front    fields     behind            the code, and no field that changes
 * </pre>
 *
 * <p>State and the padding behind it stand in one file, out of the way of the code. The padding behind has 16 bytes
 * more, some of which may fill a hole before the fields. It stands in every such file anew: a superclass can only lie
 * in front, and a hot field in a padded cell of its own costs one more dereference with each access.
 *
 * <p>The padding is made of bytes, because the layout of an object fills the holes that wider fields leave, and it is a
 * superclass, because a superclass is laid out before its subclass.
 */
@SuppressWarnings("unused")
public abstract class Padding {
    byte l000, l001, l002, l003, l004, l005, l006, l007, l008, l009, l010, l011, l012, l013, l014, l015;
    byte l016, l017, l018, l019, l020, l021, l022, l023, l024, l025, l026, l027, l028, l029, l030, l031;
    byte l032, l033, l034, l035, l036, l037, l038, l039, l040, l041, l042, l043, l044, l045, l046, l047;
    byte l048, l049, l050, l051, l052, l053, l054, l055, l056, l057, l058, l059, l060, l061, l062, l063;
    byte l064, l065, l066, l067, l068, l069, l070, l071, l072, l073, l074, l075, l076, l077, l078, l079;
    byte l080, l081, l082, l083, l084, l085, l086, l087, l088, l089, l090, l091, l092, l093, l094, l095;
    byte l096, l097, l098, l099, l100, l101, l102, l103, l104, l105, l106, l107, l108, l109, l110, l111;
    byte l112, l113, l114, l115, l116, l117, l118, l119, l120, l121, l122, l123, l124, l125, l126, l127;

    /** For subclasses. */
    protected Padding() {}
}

package io.slipstream.keyvalue.resp;

/** A command that is answered with an error: its text, without a stack trace. */
public final class RedisError extends RuntimeException {
    /** A number was expected. */
    public static final RedisError NOT_AN_INTEGER = new RedisError("ERR value is not an integer or out of range");
    /** A number with a fraction was expected. */
    public static final RedisError NOT_A_FLOAT = new RedisError("ERR value is not a valid float");
    /** The key holds a value of another type. */
    public static final RedisError WRONG_TYPE =
            new RedisError("WRONGTYPE Operation against a key holding the wrong kind of value");
    /** The words are not as they should be. */
    public static final RedisError SYNTAX = new RedisError("ERR syntax error");
    /** There is no such key. */
    public static final RedisError NO_SUCH_KEY = new RedisError("ERR no such key");
    /** The number is none of a database. */
    public static final RedisError NO_SUCH_DATABASE = new RedisError("ERR DB index is out of range");
    /** A key would be moved or copied to itself. */
    public static final RedisError SAME_OBJECT = new RedisError("ERR source and destination objects are the same");
    /** The value would be too long. */
    public static final RedisError TOO_LONG =
            new RedisError("ERR string exceeds maximum allowed size (proto-max-bulk-len)");
    /** The answer has no place in a message. Whoever throws it has changed nothing. */
    public static final RedisError ANSWER_TOO_LONG =
            new RedisError("ERR the answer is too long to be told at once, so nothing was done: ask for less");
    /** A number of elements is below 0, or none. */
    public static final RedisError NEGATIVE = new RedisError("ERR value is out of range, must be positive");
    /** The sum has no place in 64 bits. */
    public static final RedisError OVERFLOW = new RedisError("ERR increment or decrement would overflow");

    private static final long serialVersionUID = 1;

    /** Creates an error with its text, whose first word is its code. */
    public RedisError(String text) {
        super(text, null, false, false);
    }

    /** Returns the text. */
    public String text() {
        String text = getMessage();
        return text == null ? "ERR" : text;
    }
}

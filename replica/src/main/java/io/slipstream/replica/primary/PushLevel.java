package io.slipstream.replica.primary;

/** What an answer to a command says about the backup site. */
public enum PushLevel {
    /** Nothing: the backup gets the command soon. */
    ASYNC,

    /** The command is durable at the backup. While the backup is away, no command is answered. */
    BACKUP
}

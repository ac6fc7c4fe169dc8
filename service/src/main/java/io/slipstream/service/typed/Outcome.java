package io.slipstream.service.typed;

/**
 * What has become of a command that was applied: either a reply, or a reason why the machine did not accept it.
 *
 * <pre>{@code
 *   switch (client.attempt(new Withdraw(7, 100))) {
 *       case Outcome.Accepted(Balance balance) -> show(balance);
 *       case Outcome.Rejected(String reason) -> warn(reason);
 *   }
 * }</pre>
 *
 * @param <R> the reply
 */
public sealed interface Outcome<R> {
    /**
     * The command was done.
     *
     * @param reply of the machine
     * @param <R>   the reply
     */
    record Accepted<R>(R reply) implements Outcome<R> {}

    /**
     * The command was not accepted.
     *
     * @param reason as the machine gave it
     * @param <R>    the reply that there is not
     */
    record Rejected<R>(String reason) implements Outcome<R> {}
}

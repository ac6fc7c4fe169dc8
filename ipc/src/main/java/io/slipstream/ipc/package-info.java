/**
 * Messages between processes of one machine through a mapped file: no broker, no daemon, no heartbeat.
 *
 * <pre>
 *   process A                         /dev/shm/prices.ipc                            process B
 *                  ┌───────────────────────────────────────────────────────┐
 *   IpcPublisher ──▶ header │ slots: who is attached │ ring of frames      │──▶ IpcSubscriber   publishers wait for it
 *                  │ sizes  │ pid, start, position   │ [frame][frame]..... │──▶ IpcObserver     they do not,
 *                  │                                                       │                    or not for long
 *                  └───▲─────────────▲────────────────────────────────────-┘
 *                      │             │
 *                 ChannelFile     a kernel lock for each slot: free as soon as its process has died
 * </pre>
 *
 * <ul>
 * <li><b>channel</b>: one file, with one publisher at a time or with many.
 * <li><b>party</b>: a publisher, subscriber or observer. Each owns a <b>slot</b> of the file and the kernel lock of its
 *     first byte.
 * <li><b>position</b>: bytes of frames since the channel was created; the place in the ring is the remainder by the
 *     capacity.
 * <li><b>tail</b>: the end of what is published (one publisher) or claimed (many).
 * <li><b>limit</b>: publishers write below it only, so what is older than limit - capacity may be overwritten.
 * <li><b>gating</b>: a subscriber whose position holds the limit back.
 * <li><b>stamp</b>: with many publishers, the word that says whose a place of the ring is, and whether it is published.
 * <li><b>hole</b>: room that a publisher had claimed when it was killed. Whoever meets it marks it as skipped.
 * </ul>
 *
 * <p>Below, and for this module alone: {@code file} (layout, creation, kernel locks), {@code frame} (the ring and its
 * frames), {@code slot} (who is attached, and how far publishers may write), {@code sleep} (waking other processes).
 *
 * <p>The format is in {@code docs/ipc-format.md}; {@code ipc/c/slipstream_ipc.h} speaks it in C.
 */
@NullMarked
package io.slipstream.ipc;

import org.jspecify.annotations.NullMarked;

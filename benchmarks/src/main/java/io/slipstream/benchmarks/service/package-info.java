/** A whole service: beside a persistent actor, beside bare sockets and files, and beside itself. */
@NullMarked
package io.slipstream.benchmarks.service;

import org.jspecify.annotations.NullMarked;

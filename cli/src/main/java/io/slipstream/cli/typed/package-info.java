/**
 * {@code slipstream load service}: commands of any service, from templates in JSON, in steps up to the knee.
 *
 * <pre>
 *   LoadService ──▶ Steps ──▶ Runner ──▶ Load of Callers          in this process,
 *                     │          └─────▶ children, each such a Load   or in several
 *                     └──▶ Measured ──▶ table, HDR files, JSON, page
 * </pre>
 */
@NullMarked
package io.slipstream.cli.typed;

import org.jspecify.annotations.NullMarked;

/**
 * What an experiment is.
 *
 * <pre>
 *                    card          question, reported figures, plots, explanation
 *                   /
 *   Experiment ----+--- plan       cases: what is run, each in JVMs of its own
 *                   \
 *                    judge         findings -> verdict, by a stated rule
 *
 *   case      one bar or one point: a series ("padded"), an x ("2" threads), a workload
 *   workload  the code that is measured; called once per round, records metrics, checks its own result
 *   benchmark the same for JMH, where one operation is asked for and not a certain amount of work
 *   form      tiny (for tests), quick (seconds), full (the original parameters)
 *   findings  the samples of all rounds of all cases on one JVM
 *   verdict   holds, does not hold, or cannot be told here, with the reason
 * </pre>
 */
@NullMarked
package io.slipstream.lab;

import org.jspecify.annotations.NullMarked;

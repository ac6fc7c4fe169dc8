package io.slipstream.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.CallGraph.Method;
import io.slipstream.core.CallGraph.Walk;
import io.slipstream.core.ring.Ring;
import java.io.InputStream;
import java.lang.invoke.MethodType;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Follows every call from the methods of the hot path, through the byte code of all of core, and finds no lock: no
 * monitor, nothing of the JDK that may block, and no spinning until another thread has finished something, which is
 * what a spin lock is. Where a thread does wait is a short list of places, each with its reason. User code is not
 * followed: handlers, tasks, policies and strategies of their own. Nor is a loop seen that waits without a call of any
 * kind.
 */
class HotPathTakesNoLockTest {
    /** What is called for each event, frame, element, task or count; all overloads, and the overrides in subtypes. */
    private static final Map<String, List<String>> HOT = Map.ofEntries(
            Map.entry(
                    "RingBuffer",
                    List.of(
                            "claim",
                            "tryClaim",
                            "publish",
                            "abort",
                            "get",
                            "isAborted",
                            "publishEvent",
                            "tryPublishEvent",
                            "publishEvents",
                            "tryPublishEvents")),
            Map.entry(
                    "FrameRing",
                    List.of("claim", "tryClaim", "publish", "abort", "offset", "publishFrame", "tryPublishFrame")),
            Map.entry("EventClaim", List.of("claim", "tryClaim", "event", "publish", "close")),
            Map.entry("FrameClaim", List.of("claim", "tryClaim", "memory", "offset", "publish", "close")),
            Map.entry("EventPoller", List.of("available", "poll")),
            Map.entry("FramePoller", List.of("poll", "peekRun", "runOffset", "release")),
            Map.entry("EventObserver", List.of("poll")),
            Map.entry("FrameObserver", List.of("poll")),
            Map.entry("Stage", List.of("work", "handle")),
            Map.entry("SmartBatcher", List.of("work")),
            Map.entry("DutyCycle", List.of("round", "roundAfterSpin")),
            Map.entry("BoundedQueue", List.of("offer", "poll", "peek", "relaxedOffer", "relaxedPoll", "drain", "fill")),
            Map.entry("WaitingQueue", List.of("offer", "poll", "drainTo")),
            Map.entry("ExecutorCore", List.of("execute", "tryExecute", "schedule")),
            Map.entry("KeyedExecutor", List.of("execute", "tryExecute")),
            Map.entry("ExecutorWorker", List.of("turn")),
            Map.entry("LatencyProbe", List.of("run")),
            Map.entry("ScheduledTask", List.of("run", "cancel")),
            Map.entry("TimerThread", List.of("wakeBefore")),
            Map.entry("Counter", List.of("setRelease", "addRelease", "getAcquire")));

    /** Where the walk ends: at a method that is not entered, or at one call of a method that is not followed. */
    private static final Set<String> BOUNDARIES = Set.of(
            // The ring is full, and its wait strategy or the caller's time limit says how to wait for its consumers.
            "Ring.awaitRoom",
            // No place in the executor: the caller has a time limit for it, or the policy for refused tasks says what
            // to do.
            "Submission.await",
            "ExecutorCore.reject",
            // The queue is full or empty, and the caller of its blocking view waits, with a time limit.
            "WaitingQueue.offerWaiting",
            "WaitingQueue.pollWaiting",
            // There is nothing to do, and the wait strategy says how to wait for work.
            "Waiter.idle",
            "ExecutorWorker.idle",
            // A handler has taken nothing of its batch, and its thread rests before it tries again.
            "Pace.stuck",
            // A poller has found nothing, and its caller has a time limit to wait for the first event.
            "EventPoller.poll -> Patience.await",
            "FramePoller.poll -> Patience.await",
            // Somebody sleeps and is woken, which is a call of the system.
            "Signal.interruptSleep",
            "Sleepers$Place.wake -> LockSupport.unpark",
            // The executor is being stopped, and each task that runs still is interrupted.
            "ExecutorWorker.settleInterruption -> Thread.interrupt",
            // A handler or a duty has thrown; a stage that stops fails its ring.
            "Stage.recover",
            "Ring.fail",
            "DutyCycle.failed",
            // A duty shows numbers of the graph to other processes now and then; it looks for stages that have joined.
            "GraphCounters.prepare",
            // The first task of an unknown key, or of one that is being forgotten, and the forgetting itself, from
            // 4,096 keys on.
            "KeyLanes.add -> ConcurrentMap.computeIfAbsent",
            "KeyLanes.add -> ConcurrentMap.remove",
            "KeyLanes.runOne -> ConcurrentMap.remove",
            // A link that was counted is about to be added to the lane.
            "KeyLane.takePending -> Patience.pause",
            // A delay that does not count yet is asked for. Whoever has the wheel asks only for those that do.
            "ScheduledTask.deadlineNanos -> CombiningWheel.answer",
            // The first delayed task starts the timers' thread.
            "TimerThread.start",
            // Another producer or consumer has claimed a place and not finished yet. The relaxed methods give up
            // instead.
            "ManyToManyQueue.offer -> Patience.pause",
            "ManyToManyQueue.poll -> Patience.pause",
            "ManyToManyQueue.peek -> Patience.pause",
            "ManyToManyQueue.awaitTurn",
            "ManyToOneQueue.awaitElement",
            "OneToManyQueue.awaitRoom -> Patience.pause",
            "GrowingManyToOneQueue.first -> Patience.pause",
            // A publisher has run out of stack behind its claim, and whoever comes there first closes it.
            "MultiSequencer.endLeft",
            // Another producer links a larger array.
            "GrowingManyToOneQueue.put -> Patience.pause",
            // Some spins that wait for nobody, after a lost race and between two looks.
            "ArrayBackedQueue.backOff",
            "MultiSequencer.backOff",
            "Pace.pause");

    /** Some of what lies deep below the methods of the hot path; a walk that misses one of them has missed calls. */
    private static final List<String> DEEP = List.of(
            "Sequencer.raiseLimit",
            "SingleFrameSequencer.tryClaim",
            "MultiFrameSequencer.publish",
            "PublishedBarrier.available",
            "SequencesBarrier.available",
            "EventStage.handle",
            "BatchStage.handle",
            "FrameStage.handle",
            "FrameBatchStage.handle",
            "Slots$OfEvents.behind",
            "Signal.wakeAllFenced",
            "Region.putLongRelease",
            "ManyToOneQueue.relaxedPoll",
            "TaskQueue.relaxedPoll",
            "KeyLane.append",
            "KeyLane.takeFirst",
            "IdleSet.wakeOne",
            "LatencyProbe.rearm",
            "CombiningWheel.answerRequests");

    private static final Set<String> BLOCKING = Set.of(
            "java/util/concurrent/CountDownLatch",
            "java/util/concurrent/Semaphore",
            "java/util/concurrent/CyclicBarrier",
            "java/util/concurrent/Phaser",
            "java/util/concurrent/Exchanger",
            "java/util/concurrent/BlockingQueue",
            "java/util/concurrent/BlockingDeque",
            "java/util/concurrent/TransferQueue",
            "java/util/concurrent/ArrayBlockingQueue",
            "java/util/concurrent/LinkedBlockingQueue",
            "java/util/concurrent/LinkedBlockingDeque",
            "java/util/concurrent/PriorityBlockingQueue",
            "java/util/concurrent/DelayQueue",
            "java/util/concurrent/SynchronousQueue",
            "java/util/concurrent/LinkedTransferQueue",
            "java/util/concurrent/CopyOnWriteArrayList",
            "java/util/concurrent/CopyOnWriteArraySet");
    private static final Set<String> MAPS =
            Set.of("java/util/concurrent/ConcurrentHashMap", "java/util/concurrent/ConcurrentMap");
    private static final Set<String> READS_OF_MAPS = Set.of(
            "<init>",
            "get",
            "getOrDefault",
            "containsKey",
            "size",
            "isEmpty",
            "mappingCount",
            "values",
            "keySet",
            "entrySet");
    private static final Set<String> WAITS_OF_THREADS = Set.of("sleep", "yield", "join", "onSpinWait");

    /** How a thread spins for another one that holds something. */
    private static final String PAUSE = "Patience.pause";

    private static CallGraph graph = new CallGraph(List.of());

    @BeforeAll
    static void readAllOfCore() throws Exception {
        List<byte[]> files = CallGraph.filesIn(folderOf(Ring.class));
        for (Class<?> sample : LockSamples.class.getDeclaredClasses()) {
            files.add(bytes(sample));
        }
        graph = new CallGraph(files);
    }

    private static Path folderOf(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    private static byte[] bytes(Class<?> type) throws Exception {
        String file = type.getName().substring(type.getPackageName().length() + 1) + ".class";
        try (InputStream in = Objects.requireNonNull(type.getResourceAsStream(file), file)) {
            return in.readAllBytes();
        }
    }

    @Test
    void noMethodOfTheHotPathReachesALock() {
        Set<String> used = new TreeSet<>();
        Walk walk = walk(hot(), used);
        assertThat(walk.violations()).isEmpty();
        assertThat(walk.names()).containsAll(DEEP).hasSizeGreaterThan(400);
        assertThat(used).as("boundaries that the walk has met").containsExactlyInAnyOrderElementsOf(BOUNDARIES);
    }

    @ParameterizedTest
    @CsvSource({
        "Monitor, -> LockSamples$Monitor.step locks a monitor",
        "Lambda, -> LockSamples$Lambda.lambda$hot$0 -> LockSamples$Lambda.step locks a monitor",
        "Reference, -> LockSamples$Reference.step locks a monitor",
        "LambdaMadeBefore, -> LockSamples$LambdaMadeBefore.step locks a monitor",
        "OverrideOfAStep, -> LockSamples$LockedStep.go locks a monitor",
        "Inherited, -> LockSamples$Parent.step locks a monitor",
        "Construction, -> LockSamples$LockedStep.<init> -> ReentrantLock.<init> may block",
        "SpinLock, -> Patience.pause spins for another thread",
        "Parked, -> LockSupport.parkNanos may block",
        "Sleep, -> Thread.sleep waits",
        "LockedMap, -> ConcurrentMap.computeIfAbsent locks a part of the map",
        "SynchronizedList, -> Vector.add is synchronized"
    })
    void findsTheLockOfASample(String sample, String way) {
        Walk walk = walk(graph.methods("LockSamples$" + sample, "hot"), new TreeSet<>());
        assertThat(walk.violations())
                .singleElement()
                .asString()
                .startsWith("LockSamples$" + sample + ".hot -> ")
                .endsWith(way);
    }

    @Test
    void findsNoLockWhereThereIsNone() {
        Walk walk = walk(graph.methods("LockSamples$NoLock", "hot"), new TreeSet<>());
        assertThat(walk.violations()).isEmpty();
        assertThat(walk.names()).contains("LockSamples$NoLock.step");
    }

    private static List<Method> hot() {
        List<Method> roots = new ArrayList<>();
        HOT.forEach((owner, names) -> names.forEach(name -> {
            List<Method> found = graph.methods(owner, name);
            assertThat(found).as(owner + "." + name).isNotEmpty();
            roots.addAll(found);
        }));
        return roots;
    }

    private static Walk walk(List<Method> roots, Set<String> used) {
        return graph.walk(roots, (caller, called) -> isBoundary(caller, called, used), HotPathTakesNoLockTest::lock);
    }

    private static boolean isBoundary(Method caller, Method called, Set<String> used) {
        for (String name : List.of(called.toString(), caller + " -> " + called)) {
            if (BOUNDARIES.contains(name)) {
                used.add(name);
                return true;
            }
        }
        return false;
    }

    /** Says what lock a call takes, as far as its name tells, or returns null. */
    private static @Nullable String lock(Method called) {
        if (called.toString().equals(PAUSE)) {
            return "spins for another thread";
        }
        String owner = called.owner();
        if (owner.startsWith("java/util/concurrent/locks/") || BLOCKING.contains(owner)) {
            return "may block";
        }
        if (owner.equals("java/lang/Thread") && WAITS_OF_THREADS.contains(called.name())
                || called.name().equals("wait") && called.type().matches("\\((JI?)?\\)V")) {
            return "waits";
        }
        if (owner.equals("java/lang/Thread") && called.name().equals("interrupt")) {
            return "locks a monitor of the thread";
        }
        if (MAPS.contains(owner) && !READS_OF_MAPS.contains(called.name())) {
            return "locks a part of the map";
        }
        if (owner.equals("java/util/Collections") && called.name().startsWith("synchronized")) {
            return "makes a collection with a monitor";
        }
        return owner.startsWith("java/") && isSynchronized(called) ? "is synchronized" : null;
    }

    /** Looks into the JDK, one call deep. */
    private static boolean isSynchronized(Method called) {
        try {
            for (Class<?> type = Class.forName(called.owner().replace('/', '.'));
                    type != null;
                    type = type.getSuperclass()) {
                for (java.lang.reflect.Method method : type.getDeclaredMethods()) {
                    if (method.getName().equals(called.name())
                            && called.type()
                                    .equals(MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                                            .toMethodDescriptorString())) {
                        return Modifier.isSynchronized(method.getModifiers());
                    }
                }
            }
            return false;
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }
}

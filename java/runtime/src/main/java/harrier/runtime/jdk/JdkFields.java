package harrier.runtime.jdk;

import harrier.runtime.origin.Origin;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The classes of the JDK whose instance fields are their state. They are listed by name, since many are not public. */
public final class JdkFields {
    /** Classes whose instances never change, so that it does not matter which of two equal ones it is. */
    public static final Set<String> VALUES = names("""
        java.math. MathContext
        java.time.Clock$ FixedClock
        java.time. Duration Instant LocalDate LocalDateTime LocalTime MonthDay OffsetDateTime OffsetTime Period Year
            YearMonth ZonedDateTime
        java.util.AbstractMap$ SimpleImmutableEntry
        java.util.Base64$ Decoder Encoder
        java.util. KeyValueHolder OptionalDouble OptionalInt OptionalLong UUID
        java.util.Comparators$ NullComparator
        java.util.concurrent.CompletableFuture$ AltResult
        java.util.concurrent.atomic.AtomicMarkableReference$ Pair
        java.util.concurrent.atomic.AtomicStampedReference$ Pair
        """);

    /** Classes of which it matters which instance it is. Throwables need not be named. */
    public static final Set<String> OBJECTS = names("""
        java.lang. InheritableThreadLocal Object ThreadLocal
        java.lang.ThreadLocal$ SuppliedThreadLocal
        java.net. DatagramPacket
        java.nio. Buffer ByteBuffer HeapByteBuffer HeapByteBufferR
        java.security. SecureRandom
        java.util.AbstractMap$ SimpleEntry
        java.util.Arrays$ ArrayList
        java.util.Collections$ AsLIFOQueue CheckedCollection CheckedList CheckedMap CheckedNavigableMap
            CheckedNavigableSet CheckedQueue CheckedRandomAccessList CheckedSet CheckedSortedMap CheckedSortedSet
            CopiesList ReverseComparator2 SetFromMap SingletonList SingletonMap SingletonSet SynchronizedCollection
            SynchronizedList SynchronizedMap SynchronizedNavigableMap SynchronizedNavigableSet
            SynchronizedRandomAccessList SynchronizedSet SynchronizedSortedMap SynchronizedSortedSet
            UnmodifiableCollection UnmodifiableList UnmodifiableMap UnmodifiableMap$UnmodifiableEntrySet
            UnmodifiableNavigableMap UnmodifiableNavigableSet UnmodifiableRandomAccessList UnmodifiableSet
            UnmodifiableSortedMap UnmodifiableSortedSet
        java.util. DoubleSummaryStatistics IntSummaryStatistics LongSummaryStatistics EventObject Properties Random
            SplittableRandom StringJoiner StringTokenizer
        java.util.EnumMap$ EntrySet KeySet Values
        java.util.HashMap$ EntrySet KeySet Values
        java.util.IdentityHashMap$ EntrySet KeySet Values
        java.util.LinkedHashMap$ LinkedEntrySet LinkedKeySet LinkedValues
        java.util.SplittableRandom$ AbstractSplittableGeneratorProxy
        java.util.TreeMap$ EntrySet KeySet Values
        java.util.concurrent. CompletableFuture CountDownLatch DelayQueue ExecutorCompletionService FutureTask Phaser Semaphore
        java.util.concurrent.CompletableFuture$ MinimalStage AnyOf AsyncRun AsyncSupply BiAccept BiApply BiCompletion
            BiRelay BiRun CoCompletion OrAccept OrApply OrRun UniAccept UniApply UniCompose UniComposeExceptionally
            UniExceptionally UniHandle UniRelay UniRun UniWhenComplete
        java.util.concurrent.ConcurrentHashMap$ EntrySetView KeySetView ValuesView
        java.util.concurrent.ConcurrentSkipListMap$ EntrySet KeySet Values
        java.util.concurrent.CountDownLatch$ Sync
        java.util.concurrent.ExecutorCompletionService$ QueueingFuture
        java.util.concurrent.Executors$ RunnableAdapter
        java.util.concurrent.Semaphore$ FairSync NonfairSync
        java.util.concurrent.ThreadPoolExecutor$ AbortPolicy CallerRunsPolicy DiscardOldestPolicy DiscardPolicy
        java.util.concurrent.atomic. AtomicBoolean AtomicInteger AtomicIntegerArray AtomicLong AtomicLongArray
            AtomicMarkableReference AtomicReference AtomicReferenceArray AtomicStampedReference DoubleAccumulator
            DoubleAdder LongAccumulator LongAdder Striped64
        java.util.concurrent.locks.AbstractQueuedSynchronizer$ ConditionObject
        java.util.concurrent.locks. ReentrantLock ReentrantReadWriteLock StampedLock
        java.util.concurrent.locks.ReentrantLock$ FairSync NonfairSync
        java.util.concurrent.locks.ReentrantReadWriteLock$ FairSync NonfairSync ReadLock WriteLock
        java.util.regex. IntHashSet Matcher
        java.util.zip. Adler32 CRC32 CRC32C
        """);

    /** Fields of maps of the JDK that hold views, made when somebody asks for them. */
    public static final Set<String> VIEWS = names("keySet values entrySet navigableKeySet descendingMap");

    /**
     * Other fields that hold what can be computed again, count modifications, or say where a throwable was thrown; where
     * threads find what a thread local has, which is nothing between steps; in locks, those that are empty as long as no thread waits
     * or holds the lock, which {@code codec.graph.Hidden} sees to.
     */
    private static final Set<String> LEFT_OUT = names("""
        java.lang.ThreadLocal. threadLocalHashCode
        java.lang.Throwable. backtrace depth stackTrace
        java.util.AbstractList. modCount
        java.util.Collections$CheckedCollection. zeroLengthElementArray
        java.util.Hashtable. count loadFactor modCount table threshold
        java.util.regex.Matcher. modCount
        java.util.concurrent.locks.AbstractOwnableSynchronizer. exclusiveOwnerThread
        java.util.concurrent.locks.AbstractQueuedSynchronizer. head tail
        java.util.concurrent.locks.ReentrantReadWriteLock$Sync. cachedHoldCounter firstReader firstReaderHoldCount
            readHolds
        java.util.concurrent.locks.StampedLock. head readLockView readWriteLockView tail writeLockView
        """);

    private JdkFields() {}

    /** Reports whether a field is no part of the state. */
    public static boolean isLeftOut(Class<?> declaring, String field) {
        return VIEWS.contains(field) && Map.class.isAssignableFrom(declaring) && Origin.isJdks(declaring)
            || LEFT_OUT.contains(declaring.getName() + "." + field);
    }

    /** Names. What ends with a dot or a dollar sign is what those after it begin with. */
    static Set<String> names(String text) {
        Set<String> names = new HashSet<>();
        String start = "";
        for (String word : text.strip().split("\\s+")) {
            if (word.endsWith(".") || word.endsWith("$")) {
                start = word;
            } else {
                names.add(start + word);
            }
        }
        return names;
    }
}

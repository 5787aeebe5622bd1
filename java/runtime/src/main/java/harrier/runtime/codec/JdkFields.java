package harrier.runtime.codec;

import java.util.Set;

/** The classes of the JDK whose instance fields are their state. They are listed by name, since many are not public. */
final class JdkFields {
    /** Classes whose instances never change, so that it does not matter which of two equal ones it is. */
    static final Set<String> VALUES = names("""
        java.math.MathContext
        java.time.Clock$FixedClock java.time.Duration java.time.Instant java.time.LocalDate java.time.LocalDateTime
        java.time.LocalTime java.time.MonthDay java.time.OffsetDateTime java.time.OffsetTime java.time.Period
        java.time.Year java.time.YearMonth java.time.ZonedDateTime
        java.util.AbstractMap$SimpleImmutableEntry java.util.Base64$Decoder java.util.Base64$Encoder java.util.KeyValueHolder
        java.util.Comparators$NullComparator
        java.util.OptionalDouble java.util.OptionalInt java.util.OptionalLong
        java.util.UUID
        java.util.concurrent.CompletableFuture$AltResult
        java.util.concurrent.atomic.AtomicMarkableReference$Pair
        java.util.concurrent.atomic.AtomicStampedReference$Pair
        """);

    /** Classes of which it matters which instance it is. Throwables need not be named. */
    static final Set<String> OBJECTS = names("""
        java.lang.Object
        java.nio.Buffer java.nio.ByteBuffer java.nio.HeapByteBuffer java.nio.HeapByteBufferR
        java.security.SecureRandom
        java.util.AbstractMap$SimpleEntry
        java.util.Arrays$ArrayList
        java.util.Collections$AsLIFOQueue
        java.util.Collections$CheckedCollection java.util.Collections$CheckedList java.util.Collections$CheckedMap
        java.util.Collections$CheckedNavigableMap java.util.Collections$CheckedNavigableSet
        java.util.Collections$CheckedQueue java.util.Collections$CheckedRandomAccessList
        java.util.Collections$CheckedSet java.util.Collections$CheckedSortedMap
        java.util.Collections$CheckedSortedSet
        java.util.Collections$CopiesList
        java.util.Collections$ReverseComparator2
        java.util.Collections$SetFromMap
        java.util.Collections$SingletonList java.util.Collections$SingletonMap java.util.Collections$SingletonSet
        java.util.Collections$SynchronizedCollection java.util.Collections$SynchronizedList
        java.util.Collections$SynchronizedMap java.util.Collections$SynchronizedNavigableMap
        java.util.Collections$SynchronizedNavigableSet java.util.Collections$SynchronizedRandomAccessList
        java.util.Collections$SynchronizedSet java.util.Collections$SynchronizedSortedMap
        java.util.Collections$SynchronizedSortedSet
        java.util.Collections$UnmodifiableCollection java.util.Collections$UnmodifiableList
        java.util.Collections$UnmodifiableMap java.util.Collections$UnmodifiableMap$UnmodifiableEntrySet
        java.util.Collections$UnmodifiableNavigableMap java.util.Collections$UnmodifiableNavigableSet
        java.util.Collections$UnmodifiableNavigableMap$EmptyNavigableMap
        java.util.Collections$UnmodifiableNavigableSet$EmptyNavigableSet
        java.util.Collections$UnmodifiableRandomAccessList java.util.Collections$UnmodifiableSet
        java.util.Collections$UnmodifiableSortedMap java.util.Collections$UnmodifiableSortedSet
        java.util.DoubleSummaryStatistics java.util.IntSummaryStatistics java.util.LongSummaryStatistics
        java.util.EnumMap$EntrySet java.util.EnumMap$KeySet java.util.EnumMap$Values
        java.util.EventObject
        java.util.HashMap$EntrySet java.util.HashMap$KeySet java.util.HashMap$Values
        java.util.IdentityHashMap$EntrySet java.util.IdentityHashMap$KeySet java.util.IdentityHashMap$Values
        java.util.LinkedHashMap$LinkedEntrySet java.util.LinkedHashMap$LinkedKeySet
        java.util.LinkedHashMap$LinkedValues
        java.util.Properties
        java.util.Random java.util.SplittableRandom
        java.util.SplittableRandom$AbstractSplittableGeneratorProxy
        java.util.StringJoiner
        java.util.TreeMap$EntrySet java.util.TreeMap$KeySet java.util.TreeMap$Values
        java.util.concurrent.CompletableFuture java.util.concurrent.CompletableFuture$MinimalStage
        java.util.concurrent.CompletableFuture$AnyOf java.util.concurrent.CompletableFuture$AsyncRun
        java.util.concurrent.CompletableFuture$AsyncSupply java.util.concurrent.CompletableFuture$BiAccept
        java.util.concurrent.CompletableFuture$BiApply java.util.concurrent.CompletableFuture$BiCompletion
        java.util.concurrent.CompletableFuture$BiRelay java.util.concurrent.CompletableFuture$BiRun
        java.util.concurrent.CompletableFuture$CoCompletion java.util.concurrent.CompletableFuture$OrAccept
        java.util.concurrent.CompletableFuture$OrApply java.util.concurrent.CompletableFuture$OrRun
        java.util.concurrent.CompletableFuture$UniAccept java.util.concurrent.CompletableFuture$UniApply
        java.util.concurrent.CompletableFuture$UniCompose
        java.util.concurrent.CompletableFuture$UniComposeExceptionally
        java.util.concurrent.CompletableFuture$UniExceptionally java.util.concurrent.CompletableFuture$UniHandle
        java.util.concurrent.CompletableFuture$UniRelay java.util.concurrent.CompletableFuture$UniRun
        java.util.concurrent.CompletableFuture$UniWhenComplete
        java.util.concurrent.ConcurrentHashMap$EntrySetView java.util.concurrent.ConcurrentHashMap$KeySetView
        java.util.concurrent.ConcurrentHashMap$ValuesView
        java.util.concurrent.ConcurrentSkipListMap$EntrySet java.util.concurrent.ConcurrentSkipListMap$KeySet
        java.util.concurrent.ConcurrentSkipListMap$Values
        java.util.concurrent.CountDownLatch java.util.concurrent.CountDownLatch$Sync
        java.util.concurrent.DelayQueue
        java.util.concurrent.ExecutorCompletionService
        java.util.concurrent.ExecutorCompletionService$QueueingFuture
        java.util.concurrent.FutureTask java.util.concurrent.Executors$RunnableAdapter
        java.util.concurrent.Semaphore java.util.concurrent.Semaphore$FairSync
        java.util.concurrent.Semaphore$NonfairSync
        java.util.concurrent.ThreadPoolExecutor$AbortPolicy java.util.concurrent.ThreadPoolExecutor$CallerRunsPolicy
        java.util.concurrent.ThreadPoolExecutor$DiscardOldestPolicy java.util.concurrent.ThreadPoolExecutor$DiscardPolicy
        java.util.concurrent.atomic.AtomicBoolean java.util.concurrent.atomic.AtomicInteger
        java.util.concurrent.atomic.AtomicIntegerArray java.util.concurrent.atomic.AtomicLong
        java.util.concurrent.atomic.AtomicLongArray java.util.concurrent.atomic.AtomicMarkableReference
        java.util.concurrent.atomic.AtomicReference java.util.concurrent.atomic.AtomicReferenceArray
        java.util.concurrent.atomic.AtomicStampedReference
        java.util.concurrent.atomic.DoubleAccumulator java.util.concurrent.atomic.DoubleAdder
        java.util.concurrent.atomic.LongAccumulator java.util.concurrent.atomic.LongAdder
        java.util.concurrent.atomic.Striped64
        java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject
        java.util.concurrent.locks.ReentrantLock java.util.concurrent.locks.ReentrantLock$FairSync
        java.util.concurrent.locks.ReentrantLock$NonfairSync
        java.util.concurrent.locks.ReentrantReadWriteLock java.util.concurrent.locks.ReentrantReadWriteLock$FairSync
        java.util.concurrent.locks.ReentrantReadWriteLock$NonfairSync
        java.util.concurrent.locks.ReentrantReadWriteLock$ReadLock
        java.util.concurrent.locks.ReentrantReadWriteLock$WriteLock
        java.util.concurrent.locks.StampedLock
        java.util.zip.Adler32 java.util.zip.CRC32 java.util.zip.CRC32C
        """);

    /**
     * Fields that hold what can be computed again, count modifications, or say where a throwable was thrown; in
     * locks, those that are empty as long as no thread waits or holds the lock, which {@link Hidden} sees to.
     */
    private static final Set<String> LEFT_OUT = names("""
        java.lang.Throwable.backtrace java.lang.Throwable.depth java.lang.Throwable.stackTrace
        java.util.AbstractList.modCount
        java.util.AbstractMap.keySet java.util.AbstractMap.values
        java.util.Collections$CheckedCollection.zeroLengthElementArray java.util.Collections$CheckedMap.entrySet
        java.util.Collections$SingletonMap.entrySet java.util.Collections$SingletonMap.keySet
        java.util.Collections$SingletonMap.values
        java.util.Collections$SynchronizedMap.entrySet java.util.Collections$SynchronizedMap.keySet
        java.util.Collections$SynchronizedMap.values
        java.util.Collections$UnmodifiableMap.entrySet java.util.Collections$UnmodifiableMap.keySet
        java.util.Collections$UnmodifiableMap.values
        java.util.Hashtable.count java.util.Hashtable.entrySet java.util.Hashtable.keySet
        java.util.Hashtable.loadFactor java.util.Hashtable.modCount java.util.Hashtable.table
        java.util.Hashtable.threshold java.util.Hashtable.values
        java.util.concurrent.locks.AbstractOwnableSynchronizer.exclusiveOwnerThread
        java.util.concurrent.locks.AbstractQueuedSynchronizer.head
        java.util.concurrent.locks.AbstractQueuedSynchronizer.tail
        java.util.concurrent.locks.ReentrantReadWriteLock$Sync.cachedHoldCounter
        java.util.concurrent.locks.ReentrantReadWriteLock$Sync.firstReader
        java.util.concurrent.locks.ReentrantReadWriteLock$Sync.firstReaderHoldCount
        java.util.concurrent.locks.ReentrantReadWriteLock$Sync.readHolds
        java.util.concurrent.locks.StampedLock.head java.util.concurrent.locks.StampedLock.readLockView
        java.util.concurrent.locks.StampedLock.readWriteLockView java.util.concurrent.locks.StampedLock.tail
        java.util.concurrent.locks.StampedLock.writeLockView
        """);

    private JdkFields() {}

    /** Whether a field is no part of the state. */
    static boolean isLeftOut(Class<?> declaring, String field) {
        return LEFT_OUT.contains(declaring.getName() + "." + field);
    }

    private static Set<String> names(String text) {
        return Set.of(text.strip().split("\\s+"));
    }
}

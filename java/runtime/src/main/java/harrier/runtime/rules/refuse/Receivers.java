package harrier.runtime.rules.refuse;

import harrier.host.ThreadHooks;
import harrier.host.UnseededRandom;
import harrier.runtime.codec.Codec;
import harrier.runtime.jdk.JdkClasses;
import harrier.runtime.origin.Origin;
import harrier.runtime.rules.allow.Rule;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.net.URL;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.StampedLock;
import jdk.internal.misc.Unsafe;
import org.objectweb.asm.Type;

/** Decides by the receiver whether a call is against a rule. */
public final class Receivers {
    /** The seed of a random generator that nobody gave one: it stays so until it is drawn from. */
    public static final long UNSEEDED = 0x6861_7272_6965_72L;

    private static final long MULTIPLIER = 0x5DEECE66DL; // of java.util.Random, as is how it takes a seed
    private static final long SCRAMBLED = (UNSEEDED ^ MULTIPLIER) & (1L << 48) - 1;
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final long SEED = UNSAFE.objectFieldOffset(Random.class, "seed");
    private static final long THREAD_SEED = UNSAFE.objectFieldOffset(Thread.class, "threadLocalRandomSeed");
    private static final long COMPLETED = UNSAFE.objectFieldOffset(ExecutorCompletionService.class, "completionQueue");
    private static final Set<String> DRAWS = Set.of("next", "nextInt", "nextLong", "nextDouble", "nextFloat",
        "nextBoolean", "nextGaussian", "nextBytes");
    /** Whether a class of random generators decides itself which numbers it gives. */
    private static final ClassValue<Boolean> DECIDES = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            for (Class<?> c = type; c != Random.class; c = c.getSuperclass()) {
                for (Method m : c.getDeclaredMethods()) {
                    if (DRAWS.contains(m.getName()) && !m.isSynthetic()) { // not one that the rewriting added
                        return true;
                    }
                }
            }
            return false;
        }
    };

    /** By the name and descriptor of a method that a class has, whether it is code of a program. */
    private static final ClassValue<Map<String, Boolean>> OVERRIDES = new ClassValue<>() {
        @Override
        protected Map<String, Boolean> computeValue(Class<?> type) {
            return new ConcurrentHashMap<>();
        }
    };

    private Receivers() {}

    /**
     * Reports whether a call of a method of the JDK runs code of the program, since the class of the receiver overrides
     * the method.
     */
    public static boolean overrides(Object receiver, String called) {
        Class<?> type = receiver.getClass();
        return !Origin.isJdks(type) && OVERRIDES.get(type).computeIfAbsent(called, c -> {
            try {
                return Origin.isPrograms(declaring(type, c));
            } catch (LinkageError e) {
                return false; // a class that another of its methods names is missing
            }
        });
    }

    /** The class whose method a call reaches: a superclass goes before the interfaces, as it does for the virtual machine. */
    private static Class<?> declaring(Class<?> type, String called) {
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            for (Method m : c.getDeclaredMethods()) {
                if (called.equals(m.getName() + Type.getMethodDescriptor(m)) && !Modifier.isAbstract(m.getModifiers())) {
                    return c;
                }
            }
        }
        for (Method m : type.getMethods()) {
            if (m.isDefault() && called.equals(m.getName() + Type.getMethodDescriptor(m))) {
                return m.getDeclaringClass();
            }
        }
        return Object.class;
    }

    public static boolean isRefused(RefusedCall refused, Object receiver) {
        return switch (refused.when()) {
            case ALWAYS -> true;
            case IT_WAITS -> waits(refused, receiver);
            case OF_THE_JDK -> ThreadHooks.isOfTheJdk(receiver);
            case OUTSIDE -> !(receiver instanceof URL url && url.getProtocol().equals(Origin.RESOURCES));
            case CURRENT_THREAD -> receiver == Thread.currentThread();
            case UNSEEDED -> receiver instanceof Random random
                && (refused.name().equals("next") ? hasMarker(random) : isUnseeded(random));
            case READS_LINES -> receiver instanceof Throwable thrown && Codec.hasNoTrace(thrown);
            case REFLECTED -> isHarriers(refused, receiver) || isHidden(refused, receiver);
            case OUTSIDE_INITIALIZERS -> !Stack.isInitializing();
            case KEEPS -> false;
        };
    }

    /** The name of the called method, for people. */
    public static String label(RefusedCall refused, Object receiver) {
        if (refused.when() == RefusedCall.When.REFLECTED && receiver instanceof Member member) {
            return refused.label() + " for " + member.getDeclaringClass().getSimpleName() + "."
                + (member instanceof Constructor ? "new" : member.getName());
        }
        return refused.label() + (refused.when() == RefusedCall.When.UNSEEDED ? " of a generator without a seed"
            : "");
    }

    /** Reports whether a call, direct or by reflection, loads native code. */
    public static boolean loadsNative(RefusedCall refused, Object receiver) {
        return refused.rule() == Rule.NATIVES && refused.name().startsWith("load")
            || refused.when() == RefusedCall.When.REFLECTED && receiver instanceof Method method
                && method.getName().startsWith("load")
                && (method.getDeclaringClass() == System.class || method.getDeclaringClass() == Runtime.class);
    }

    /** The class through which a call, direct or by reflection, reaches the memory or the signals of the process; null if none. */
    public static String internals(RefusedCall refused, Object receiver) {
        String type = jdkClass(refused, receiver);
        return type != null && (type.startsWith("sun.misc.") || type.startsWith("jdk.internal.")) ? type : null;
    }

    private static boolean waits(RefusedCall refused, Object receiver) {
        boolean puts = refused.name().startsWith("put") || refused.name().startsWith("offer");
        if (receiver instanceof Future<?> future) {
            return !future.isDone();
        } else if (receiver instanceof CountDownLatch latch) {
            return latch.getCount() > 0;
        } else if (receiver instanceof Semaphore semaphore) {
            return semaphore.availablePermits() < 1;
        } else if (receiver instanceof BlockingQueue<?> queue) {
            return puts ? queue.remainingCapacity() == 0 : queue.peek() == null;
        } else if (receiver instanceof ExecutorCompletionService<?>) {
            return ((Queue<?>) UNSAFE.getReference(receiver, COMPLETED)).isEmpty();
        } else if (receiver instanceof InetSocketAddress address) {
            return !address.isUnresolved(); // it may ask for the name
        } else if (receiver instanceof StampedLock lock) {
            return lock.isWriteLocked()
                || lock.isReadLocked() && refused.name().toLowerCase(Locale.ROOT).contains("write");
        }
        return receiver instanceof Lock lock && Origin.isJdks(lock.getClass()) && !isFree(lock);
    }

    /** Reports whether the thread can have a lock at once. It may hold it, or the other one of a pair, already. */
    private static boolean isFree(Lock lock) {
        if (lock.tryLock()) {
            lock.unlock();
            return true;
        }
        return false;
    }

    private static boolean isUnseeded(Random random) {
        return random instanceof UnseededRandom own ? !own.isSeeded()
            : !DECIDES.get(random.getClass()) && hasMarker(random);
    }

    /** Reports whether a generator has the seed of those that were given none. */
    public static boolean hasMarker(Random random) {
        return UNSAFE.getReference(random, SEED) instanceof AtomicLong seed && seed.get() == SCRAMBLED;
    }

    /** A new object of a class, on which no constructor has run. */
    public static <T> T allocate(Class<T> type) {
        try {
            return type.cast(UNSAFE.allocateInstance(type));
        } catch (InstantiationException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** Makes what the thread's own random generator gives next depend on a seed alone. */
    public static void seedThread(long seed) {
        UNSAFE.putLong(Thread.currentThread(), THREAD_SEED, seed);
    }

    /** Reports whether what a call reflects on is harrier's. */
    public static boolean isHarriers(RefusedCall refused, Object reflected) {
        Class<?> type = reflected instanceof Member member ? member.getDeclaringClass()
            : reflected instanceof Class<?> made ? made : Object.class;
        return refused.when() == RefusedCall.When.REFLECTED && Origin.isHarriers(type);
    }

    /** The class of the JDK that is used, directly or by reflection, though {@link JdkClasses} lacks it; else null. */
    public static String jdkClass(RefusedCall refused, Object reflected) {
        if (refused.rule() == Rule.JDK) {
            return refused.owner().replace('/', '.');
        }
        boolean isUnknown = refused.when() == RefusedCall.When.REFLECTED && reflected instanceof Member member
            && Origin.isJdks(member.getDeclaringClass()) && !JdkClasses.isAllowed(Type.getInternalName(member.getDeclaringClass()));
        return isUnknown ? ((Member) reflected).getDeclaringClass().getName() : null;
    }

    /** Reports whether a reflected member is one that must not be used, or is opened though it is private to the JDK. */
    private static boolean isHidden(RefusedCall refused, Object reflected) {
        if (reflected instanceof Member member && refused.owner().endsWith("AccessibleObject") && Origin.isJdks(member.getDeclaringClass())) {
            return !Modifier.isPublic(member.getModifiers() & member.getDeclaringClass().getModifiers());
        } else if (reflected instanceof Class<?> type) {
            return isSource(type, "<init>", "()V");
        } else if (reflected instanceof Method method) {
            return method.getDeclaringClass() == Proxy.class // which the analysis has to see
                || isSource(method.getDeclaringClass(), method.getName(), Type.getMethodDescriptor(method));
        } else if (reflected instanceof Constructor<?> constructor) {
            return isSource(constructor.getDeclaringClass(), "<init>", Type.getConstructorDescriptor(constructor));
        }
        return reflected instanceof Field field && Modifier.isStatic(field.getModifiers())
            && isSource(field.getDeclaringClass(), field.getName(), Type.getDescriptor(field.getType()));
    }

    private static boolean isSource(Class<?> type, String name, String descriptor) {
        return Origin.isJdks(type) && (Replacements.has(Type.getInternalName(type), name, descriptor)
            || RefusedCalls.find(Type.getInternalName(type), name, descriptor, Receivers::isSubtype) >= 0
            || RefusedCalls.findUnknown(Type.getInternalName(type), name, descriptor) >= 0);
    }

    private static boolean isSubtype(String type, String superType) {
        Class<?> sub = Origin.jdkClass(type.replace('/', '.'));
        Class<?> above = Origin.jdkClass(superType.replace('/', '.'));
        return sub != null && above != null && above.isAssignableFrom(sub);
    }
}

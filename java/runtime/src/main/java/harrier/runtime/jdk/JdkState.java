package harrier.runtime.jdk;

import harrier.runtime.origin.Origin;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which fields of the JDK's objects need not be compared to see whether a step changed what a static field leads to. All others are,
 * whichever class declares them.
 *
 * <p>Names are of JDK 17 and of later ones up to 25. One that ends with {@code -} is of earlier ones only, one that ends with {@code +}
 * of later ones only.
 */
public final class JdkState {
    /**
     * Classes that declare no field which changes: each is final or in {@link #SETTLED}, and holds a primitive value, an object of one
     * of these classes, or an array of such that is not handed out. Subclasses have fields of their own.
     */
    static final List<String> STATELESS = names("""
        java.lang. Boolean Byte Character Double Enum Float Integer Long Short StackTraceElement String
        java.lang.invoke. DirectMethodHandle MemberName MethodHandle MethodHandles$Lookup MethodType VarHandle
        java.lang.invoke.DirectMethodHandle$ Accessor Constructor Special
        java.lang.reflect. Constructor Executable Field Method Parameter RecordComponent
        java.math. BigDecimal BigInteger MathContext
        java.net. URI
        java.nio.charset. Charset CoderResult CodingErrorAction
        java.util. Locale UUID
        java.util.logging. Level
        sun.util.locale. BaseLocale
        """);

    /**
     * Fields that are not compared: only constructors and deserialization write them, or they hold what can be computed again, what
     * the virtual machine and the garbage collector note, or, in locks, which thread holds it.
     */
    static final List<String> SETTLED = names("""
        java.lang.Enum. hash+
        java.lang.NullPointerException. extendedMessage extendedMessageState
        java.lang.StackTraceElement. classLoaderName declaringClass declaringClassObject fileName format lineNumber methodName
            moduleName moduleVersion
        java.lang.String. hash hashIsZero
        java.lang.StringBuffer. toStringCache
        java.lang.Thread. container+ eetop inheritableThreadLocals inheritedAccessControlContext- threadLocals
        java.lang.Throwable. backtrace depth
        java.lang.invoke.CallSite. context-
        java.lang.invoke.IndirectVarHandle. handleMap-
        java.lang.invoke.LazyInitializingVarHandle. initialized+
        java.lang.invoke.MemberName. clazz flags method name resolution type
        java.lang.invoke.MethodHandle. asTypeCache asTypeSoftCache+ customizationCount form updateInProgress
        java.lang.invoke.MethodHandleImpl$AsVarargsCollector. asCollectorCache
        java.lang.invoke.MethodHandleImpl$CountingWrapper. count countingFormProducer isCounting nonCountingFormProducer
        java.lang.invoke.MethodHandles$Lookup. cachedProtectionDomain
        java.lang.invoke.MethodType. form invokers methodDescriptor wrapAlt
        java.lang.invoke.VarHandle. methodHandleTable+ methodTypeTable+ typesAndInvokers- vform
        java.lang.ref.Reference. discovered
        java.lang.ref.SoftReference. timestamp
        java.lang.reflect.AccessibleObject. accessCheckCache
        java.lang.reflect.Constructor. annotations clazz constructorAccessor exceptionTypes genericInfo modifiers parameterAnnotations
            parameterTypes root signature slot
        java.lang.reflect.Executable. declaredAnnotations hasRealParameterData- parameterData+ parameters-
        java.lang.reflect.Field. annotations clazz declaredAnnotations fieldAccessor genericInfo modifiers name overrideFieldAccessor
            root signature slot trustedFinal type
        java.lang.reflect.Method. annotationDefault annotations callerSensitive+ clazz exceptionTypes genericInfo hash+ methodAccessor
            modifiers name parameterAnnotations parameterTypes returnType root signature slot
        java.lang.reflect.Parameter. declaredAnnotations executable parameterClassCache parameterTypeCache
        java.lang.reflect.RecordComponent. accessor annotations clazz declaredAnnotations genericInfo name root signature type
            typeAnnotations
        java.math.BigDecimal. precision stringCache
        java.math.BigInteger. bitCountPlusOne bitLengthPlusOne- firstNonzeroIntNumPlusTwo- lowestSetBitPlusTwo
            magBitLengthPlusOne+ numberOfTrailingZeroIntsPlusTwo+
        java.net.URI. authority decodedAuthority decodedFragment decodedPath decodedQuery decodedSchemeSpecificPart decodedUserInfo
            fragment hash host path port query scheme schemeSpecificPart string userInfo
        java.net.URL. hashCode
        java.nio.charset.Charset. aliasSet
        java.nio.charset.CodingErrorAction. name
        java.text.DecimalFormatSymbols. hashCode
        java.time.ZoneOffset. rules+
        java.time.chrono.HijrahChronology. hijrahEpochMonthStartDays hijrahStartEpochMonth initComplete maxEpochDay maxMonthLength
            maxYearLength minEpochDay minMonthLength minYearLength
        java.time.format.DateTimeFormatterBuilder$TextPrinterParser. numberPrinterParser
        java.util.Locale. baseLocale hashCodeValue languageTag localeExtensions
        java.util.TimeZone. zoneId
        java.util.concurrent.ForkJoinPool. container+
        java.util.concurrent.ThreadPoolExecutor. container+
        java.util.concurrent.locks.ReentrantReadWriteLock$Sync. cachedHoldCounter firstReader firstReaderHoldCount
        java.util.logging.Level. cachedLocale localizedLevelName
        java.util.regex.Pattern. namedGroups
        sun.nio.fs.UnixPath. hash offsets stringValue
        sun.util.calendar.ZoneInfo. lastRule
        sun.util.locale.BaseLocale. hash
        """);

    /**
     * Classes, with all that the JDK derives from them, whose objects stand for something beyond the heap, or that the rules keep
     * programs from changing: a ClassValue, as programs may not call {@code get}. What a program's subclass adds is compared.
     */
    static final List<String> OUTSIDE = names("""
        java.io. FileDescriptor
        java.lang. Class ClassLoader ClassValue Module ThreadGroup
        java.lang.ref. Cleaner Cleaner$Cleanable
        java.security. AccessControlContext ProtectionDomain Provider
        java.util.logging. LogManager Logger
        """);

    private static final Set<String> UNCHANGED = new HashSet<>();
    private static final ClassValue<Boolean> IS_OUTSIDE = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return OUTSIDE.contains(type.getName()) || type.getSuperclass() != null && IS_OUTSIDE.get(type.getSuperclass())
                || Arrays.stream(type.getInterfaces()).anyMatch(IS_OUTSIDE::get);
        }
    };

    static {
        STATELESS.forEach(name -> UNCHANGED.add(plain(name)));
        SETTLED.forEach(name -> UNCHANGED.add(plain(name)));
    }

    private JdkState() {}

    /** Reports whether a field that a class declares need not be compared. */
    public static boolean isUnchanged(Class<?> declaring, String field) {
        return Origin.isJdks(declaring) && (UNCHANGED.contains(declaring.getName()) || UNCHANGED.contains(declaring.getName() + "." + field)
            || IS_OUTSIDE.get(declaring) || JdkFields.VIEWS.contains(field) && Map.class.isAssignableFrom(declaring));
    }

    private static List<String> names(String text) {
        return JdkFields.names(text).stream().sorted().toList();
    }

    /** A name without the sign that says which versions have it. */
    static String plain(String name) {
        return name.endsWith("+") || name.endsWith("-") ? name.substring(0, name.length() - 1) : name;
    }
}

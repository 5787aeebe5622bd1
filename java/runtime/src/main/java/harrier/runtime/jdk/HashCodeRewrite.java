package harrier.runtime.jdk;

import java.util.Set;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Has methods of the JDK ask objects for their hash codes by {@code jdk.internal.util.IdentityCodes}. */
final class HashCodeRewrite extends MethodVisitor {
    /** The classes that ask any object for its hash code: to give it on, or to find its place in a hash collection. */
    static final Set<String> CLASSES = Set.of(
        "java/lang/Character$Subset", "java/lang/Object",
        "java/text/AttributedCharacterIterator$Attribute", "java/time/Clock", "java/time/chrono/AbstractChronology",
        "java/util/AbstractList", "java/util/AbstractMap$SimpleEntry", "java/util/AbstractMap$SimpleImmutableEntry",
        "java/util/AbstractSet", "java/util/ArrayList", "java/util/Arrays", "java/util/Collections$CopiesList",
        "java/util/Collections$ReverseComparator2", "java/util/EnumMap", "java/util/EnumMap$EntryIterator$Entry",
        "java/util/Formatter$FormatSpecifier", "java/util/HashMap", "java/util/Hashtable", "java/util/Hashtable$EntrySet",
        "java/util/IdentityHashMap", "java/util/IdentityHashMap$EntryIterator$Entry", "java/util/IdentityHashMap$KeySet",
        "java/util/ImmutableCollections$Map1", "java/util/ImmutableCollections$MapN", "java/util/ImmutableCollections$Set12",
        "java/util/ImmutableCollections$SetN", "java/util/KeyValueHolder", "java/util/Objects", "java/util/ReverseOrderListView",
        "java/util/ReverseOrderSortedSetView", "java/util/TreeMap$Entry", "java/util/WeakHashMap",
        "java/util/concurrent/ConcurrentHashMap", "java/util/concurrent/ConcurrentHashMap$KeySetView",
        "java/util/concurrent/ConcurrentHashMap$MapEntry", "java/util/concurrent/ConcurrentHashMap$Node",
        "java/util/concurrent/CopyOnWriteArrayList", "java/util/concurrent/CopyOnWriteArrayList$Reversed");

    private static final String CODES = "jdk/internal/util/IdentityCodes";
    private final boolean isLookup;

    HashCodeRewrite(MethodVisitor m, String method) {
        super(Opcodes.ASM9, m);
        isLookup = !method.contains("ashCode") && !method.equals("toString");
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean ofInterface) {
        String hook = null;
        if (owner.equals("java/lang/Object") && name.equals("hashCode")) {
            hook = opcode == Opcodes.INVOKESPECIAL ? "identityHashCode" : isLookup ? "lookup" : name;
        } else if (owner.equals("java/lang/System") && name.equals("identityHashCode") && !isLookup) {
            hook = name;
        }
        if (hook == null) {
            super.visitMethodInsn(opcode, owner, name, descriptor, ofInterface);
        } else {
            super.visitMethodInsn(Opcodes.INVOKESTATIC, CODES, hook, "(Ljava/lang/Object;)I", false);
        }
    }
}

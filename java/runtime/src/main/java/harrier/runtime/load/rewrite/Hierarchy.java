package harrier.runtime.load.rewrite;

import harrier.runtime.failure.UsageException;
import harrier.runtime.load.compile.ProgramClasses;
import harrier.runtime.origin.Origin;
import java.lang.reflect.Member;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** How the classes of a program, which are not loaded for that, and those of the JDK are related. */
public final class Hierarchy {
    private final ProgramClasses program;
    private final Map<String, ProgramClass> known = new ConcurrentHashMap<>();
    private final Map<String, Set<String>> jdkSupertypes = new ConcurrentHashMap<>();
    private final Map<String, Set<String>> jdkMembers = new ConcurrentHashMap<>();

    public Hierarchy(ProgramClasses program) {
        this.program = program;
    }

    /**
     * What a class file says of its class.
     *
     * @param parents the internal names of superclass and interfaces
     * @param members the names and descriptors of its methods and fields
     * @param volatiles those of its volatile fields
     */
    private record ProgramClass(List<String> parents, Set<String> members, Set<String> volatiles) {}

    /** The classes of the JDK that a class is, extends or implements, nearest first; internal names. */
    public Set<String> jdkSupertypes(String type) {
        Set<String> found = jdkSupertypes.get(type);
        if (found == null) {
            found = new LinkedHashSet<>();
            collect(type, found, new HashSet<>());
            jdkSupertypes.put(type, found);
        }
        return found;
    }

    private void collect(String type, Set<String> found, Set<String> seen) {
        if (!seen.add(type)) {
            return;
        }
        ProgramClass own = programClass(type);
        if (own != null) {
            own.parents.forEach(p -> collect(p, found, seen));
            return;
        }
        Class<?> loaded = jdkClass(type);
        if (loaded != null) {
            found.add(type);
            if (loaded.getSuperclass() != null) {
                collect(name(loaded.getSuperclass()), found, seen);
            }
            for (Class<?> i : loaded.getInterfaces()) {
                collect(name(i), found, seen);
            }
        }
    }

    private static String name(Class<?> type) {
        return type.getName().replace('.', '/');
    }

    /** Null for a missing class: the program fails if it gets there. */
    private static Class<?> jdkClass(String type) {
        return Origin.jdkClass(type.replace('/', '.'));
    }

    /** Reports whether a call with this owner reaches a method of the program's own. */
    boolean isOwn(String owner, String member, String descriptor) {
        ProgramClass type = programClass(owner);
        return type != null && (type.members.contains(member + descriptor)
            || !member.equals("<init>") && type.parents.stream().anyMatch(p -> isOwn(p, member, descriptor)));
    }

    /** The class of the program that declares a field which an instruction with this owner uses; null if it is the JDK's. */
    String declaring(String owner, String field) {
        ProgramClass type = programClass(owner);
        if (type == null || type.members.contains(field)) {
            return type == null ? null : owner;
        }
        return type.parents.stream().map(p -> declaring(p, field)).filter(Objects::nonNull).findFirst().orElse(null);
    }

    /** Reports whether an instruction with this owner uses a volatile field of the program. */
    boolean isVolatile(String owner, String field) {
        String declaring = declaring(owner, field);
        return declaring != null && programClass(declaring).volatiles.contains(field);
    }

    /** The class of the JDK whose method or field an instruction with this owner uses; null if it is the program's own. */
    String jdkOwner(String owner, String name, String descriptor) {
        Set<String> types = jdkSupertypes(owner);
        if (types.contains(owner)) {
            return owner;
        }
        if (types.isEmpty() || isOwn(owner, name, descriptor)) {
            return null;
        }
        return types.stream().filter(t -> jdkMembers(t).contains(name)).findFirst().orElse(null);
    }

    /** Reports whether a call of a superclass's method reaches {@link Object#hashCode}. */
    boolean isHashCodeOfObject(CallRewrite.Called called) {
        return called.name().equals("hashCode") && called.descriptor().equals("()I") && !isOwn(called.owner(), "hashCode", "()I")
            && jdkSupertypes(called.owner()).stream().filter(t -> !jdkClass(t).isInterface() && jdkMembers(t).contains("hashCode"))
                .findFirst().equals(Optional.of("java/lang/Object"));
    }

    private Set<String> jdkMembers(String type) {
        Set<String> found = jdkMembers.get(type);
        if (found == null) {
            Class<?> loaded = jdkClass(type);
            found = Stream.<Member[]>of(loaded.getDeclaredMethods(), loaded.getDeclaredFields()).flatMap(Stream::of)
                .map(Member::getName).collect(Collectors.toSet());
            jdkMembers.put(type, found);
        }
        return found;
    }

    private ProgramClass programClass(String type) {
        ProgramClass found = known.get(type);
        if (found == null) {
            byte[] bytes = find(type.replace('/', '.'));
            if (bytes == null) {
                return null;
            }
            found = read(bytes);
            known.put(type, found);
        }
        return found;
    }

    /** Null also for a class file that cannot be used: it will not be loaded. */
    private byte[] find(String name) {
        try {
            return program.find(name);
        } catch (UsageException e) {
            return null;
        }
    }

    private static ProgramClass read(byte[] bytes) {
        ProgramClass read = new ProgramClass(new ArrayList<>(), new HashSet<>(), new HashSet<>());
        new ClassReader(bytes).accept(new ClassVisitor(Opcodes.ASM9) {
            @Override
            public void visit(int version, int access, String name, String signature, String superName,
                    String[] interfaces) {
                if (superName != null) {
                    read.parents.add(superName);
                }
                read.parents.addAll(List.of(interfaces));
            }

            @Override
            public FieldVisitor visitField(int access, String name, String descriptor, String signature, Object value) {
                read.members.add(name + descriptor);
                if ((access & Opcodes.ACC_VOLATILE) != 0) {
                    read.volatiles.add(name + descriptor);
                }
                return null;
            }

            @Override
            public MethodVisitor visitMethod(int access, String name, String descriptor, String signature,
                    String[] exceptions) {
                if ((access & Opcodes.ACC_ABSTRACT) == 0) {
                    read.members.add(name + descriptor);
                }
                return null;
            }
        }, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        return read;
    }
}

package harrier.runtime.load.compile;

import harrier.runtime.failure.UsageException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.signature.SignatureReader;
import org.objectweb.asm.signature.SignatureVisitor;
import org.objectweb.asm.tree.ClassNode;

/** The facts of a class file that are needed before it is loaded. */
public final class ClassFile {
    private static final int MAGIC = 0xCAFEBABE;
    private static final int HEADER = 8;
    /** The version of Java 1, from which they count up. */
    private static final int VERSION_0 = 44;
    private static final int PREVIEW = 0xFFFF;
    private static final int CLASS = 7;
    private static final int METHOD = 10;
    private static final int INTERFACE_METHOD = 11;
    private static final int NAME_AND_TYPE = 12;
    private static final int METHOD_TYPE = 16;
    private static final Pattern INTERNAL = Pattern.compile("(?:^|[\\[()L;])L?(harrier/(?:(?:host|runtime)/[^;]*|(?:Hosting|PropertyAnnotation)(?=[;$]|$)))");
    /** Methods that find classes by name; of any class where none is given. */
    private static final Set<String> FINDERS =
        Set.of("java/lang/Class.forName", "loadClass", "findClass", "java/util/ServiceLoader.load",
            "java/util/ResourceBundle.getBundle", "java/io/ObjectInputStream.readObject");
    /** Methods that find the classes around one. */
    private static final Set<String> AROUND = Set.of("java/lang/Class.getEnclosingClass", "java/lang/Class.getDeclaringClass",
        "java/lang/Class.getDeclaredClasses", "java/lang/Class.getClasses", "java/lang/Class.getNestHost",
        "java/lang/Class.getNestMembers");

    private ClassFile() {}

    /**
     * The name of the class in a file.
     *
     * @throws UsageException if this virtual machine cannot load it
     */
    static String name(byte[] bytes, String where) {
        check(bytes, where);
        try {
            return new ClassReader(bytes).getClassName().replace('/', '.');
        } catch (RuntimeException e) {
            throw unreadable(where, e.toString()); // ASM reports what it cannot read by whatever it runs into
        }
    }

    /**
     * Makes sure that a file is a class that this virtual machine can load, by its header.
     *
     * @throws UsageException if it is not
     */
    static void check(byte[] bytes, String where) {
        if (bytes.length < HEADER) {
            throw unreadable(where, "it has " + bytes.length + " bytes");
        }
        if ((number(bytes, 0) << 16 | number(bytes, 2)) != MAGIC) {
            throw unreadable(where, "it does not begin as one");
        }
        int java = number(bytes, 6) - VERSION_0;
        int here = Runtime.version().feature();
        if (java > here) {
            throw new UsageException(where + " is compiled for Java " + java + ", and harrier runs Java " + here
                + ": name a JDK " + java + " with --java-home, or compile it with --release " + here);
        }
        if (number(bytes, 4) == PREVIEW) {
            throw new UsageException(where + " uses preview features of Java " + java
                + ", which are off: compile it without --enable-preview");
        }
    }

    /**
     * Makes sure that all of a class file can be read, which takes some time.
     *
     * @throws UsageException if it cannot
     */
    public static void checkAll(byte[] bytes, String where) {
        try {
            new ClassReader(bytes).accept(new ClassNode(), 0);
        } catch (RuntimeException e) {
            throw unreadable(where, e.toString());
        }
    }

    private static int number(byte[] bytes, int at) {
        return (bytes[at] & 0xFF) << 8 | bytes[at + 1] & 0xFF;
    }

    private static UsageException unreadable(String where, String why) {
        return new UsageException(where + " is no class file that can be read (" + why + "): compile it again");
    }

    /** What the {@code @Allow} on a class says; empty if there is none. */
    public static List<String> allowed(byte[] bytes) {
        return texts(bytes, "Lharrier/Allow;");
    }

    /** The names of the classes in the annotation {@link harrier.Fails} on a class; empty if there is none. */
    public static List<String> fails(byte[] bytes) {
        return texts(bytes, "Lharrier/Fails;");
    }

    /** The texts, and names of classes, in an annotation on a class, by its descriptor; empty if there is none. */
    static List<String> texts(byte[] bytes, String annotation) {
        List<String> found = new ArrayList<>();
        AnnotationVisitor values = new AnnotationVisitor(Opcodes.ASM9) {
            @Override
            public AnnotationVisitor visitArray(String name) {
                return this;
            }

            @Override
            public void visit(String name, Object value) {
                found.add(value instanceof Type type ? type.getClassName() : (String) value);
            }
        };
        new ClassReader(bytes).accept(new ClassVisitor(Opcodes.ASM9) {
            @Override
            public AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
                return descriptor.equals(annotation) ? values : null;
            }
        }, ClassReader.SKIP_CODE);
        return found;
    }

    /** Reports whether a class declares {@code toString}, and not as compilers do for a record that does not. */
    public static boolean declaresToString(byte[] bytes) {
        boolean[] declares = {false};
        new ClassReader(bytes).accept(new ClassVisitor(Opcodes.ASM9) {
            @Override
            public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
                if (!name.equals("toString") || !descriptor.equals("()Ljava/lang/String;")) {
                    return null;
                }
                declares[0] = true;
                return new MethodVisitor(Opcodes.ASM9) {
                    @Override
                    public void visitInvokeDynamicInsn(String made, String of, Handle bootstrap, Object... arguments) {
                        declares[0] &= !bootstrap.getOwner().equals("java/lang/runtime/ObjectMethods");
                    }
                };
            }
        }, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        return declares[0];
    }

    /** The names of the classes that the code of a class refers to: it makes objects of no others, but by their names. */
    static Set<String> references(byte[] bytes, String where) {
        Set<String> names = new HashSet<>();
        items(bytes, where, (reader, tag, item, buffer) -> {
            if (tag == CLASS) {
                Type type = Type.getObjectType(reader.readUTF8(item, buffer));
                names.add((type.getSort() == Type.ARRAY ? type.getElementType() : type).getClassName());
            }
        });
        return names;
    }

    /**
     * The names of the classes of which the fields, parameters and results of a class are declared to be, with the arguments of generic
     * types, and of those that it permits to extend it.
     */
    static Set<String> declaredTypes(byte[] bytes) {
        Set<String> names = new HashSet<>();
        new ClassReader(bytes).accept(new ClassVisitor(Opcodes.ASM9) {
            @Override
            public FieldVisitor visitField(int access, String name, String descriptor, String signature, Object value) {
                add(Type.getType(descriptor));
                addAll(signature);
                return null;
            }

            @Override
            public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
                add(Type.getReturnType(descriptor));
                for (Type t : Type.getArgumentTypes(descriptor)) {
                    add(t);
                }
                addAll(signature);
                return null;
            }

            @Override
            public void visitPermittedSubclass(String name) {
                add(Type.getObjectType(name));
            }

            private void addAll(String signature) {
                if (signature != null) {
                    new SignatureReader(signature).accept(new ClassNames(names));
                }
            }

            private void add(Type type) {
                names.add((type.getSort() == Type.ARRAY ? type.getElementType() : type).getClassName());
            }
        }, ClassReader.SKIP_CODE);
        return names;
    }

    /** Collects the classes that a generic signature names. */
    private static final class ClassNames extends SignatureVisitor {
        private final Set<String> names;
        private String name;

        ClassNames(Set<String> names) {
            super(Opcodes.ASM9);
            this.names = names;
        }

        @Override
        public void visitClassType(String type) {
            name = type.replace('/', '.');
            names.add(name);
        }

        @Override
        public void visitInnerClassType(String type) {
            name += "$" + type;
            names.add(name);
        }

        @Override
        public SignatureVisitor visitTypeArgument(char wildcard) {
            return new ClassNames(names);
        }
    }

    /** A class file without the lines of its source, which code can read from stack traces only. */
    static byte[] withoutLines(byte[] bytes) {
        ClassWriter plain = new ClassWriter(0);
        new ClassReader(bytes).accept(new ClassVisitor(Opcodes.ASM9, plain) {
            @Override
            public void visitSource(String source, String debug) {}

            @Override
            public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
                return new MethodVisitor(Opcodes.ASM9, super.visitMethod(access, name, descriptor, signature, exceptions)) {
                    @Override
                    public void visitLineNumber(int line, Label start) {}
                };
            }
        }, 0);
        return plain.toByteArray();
    }

    /** A class file without the names of the other classes of its nest, which its code need not use. */
    static byte[] withoutNest(byte[] bytes) {
        ClassWriter alone = new ClassWriter(0);
        new ClassReader(bytes).accept(new ClassVisitor(Opcodes.ASM9, alone) {
            @Override
            public void visitNestHost(String host) {}

            @Override
            public void visitNestMember(String member) {}

            @Override
            public void visitOuterClass(String owner, String name, String descriptor) {}

            @Override
            public void visitInnerClass(String name, String outer, String inner, int access) {}
        }, 0);
        return alone.toByteArray();
    }

    /** The name of a class of harrier's own, beside its API, that a class file refers to; null if it refers to none. */
    public static String internal(byte[] bytes, String where) {
        String[] found = {null};
        items(bytes, where, (reader, tag, item, buffer) -> {
            if (found[0] == null && (tag == CLASS || tag == NAME_AND_TYPE || tag == METHOD_TYPE)) {
                Matcher name = INTERNAL.matcher(reader.readUTF8(tag == NAME_AND_TYPE ? item + 2 : item, buffer));
                found[0] = name.find() ? name.group(1).replace('/', '.') : null;
            }
        });
        return found[0];
    }

    /** Reports whether code of a class may use a method with a name and a descriptor, whatever class has it. */
    static boolean names(byte[] bytes, String where, String method, String descriptor) {
        boolean[] found = {false};
        items(bytes, where, (reader, tag, item, buffer) -> found[0] |= tag == NAME_AND_TYPE
            && method.equals(reader.readUTF8(item, buffer)) && descriptor.equals(reader.readUTF8(item + 2, buffer)));
        return found[0];
    }

    /** Reports whether code of a class may find other classes by names that are not known before it runs. */
    static boolean findsByName(byte[] bytes, String where) {
        return calls(bytes, where, FINDERS);
    }

    /** Reports whether code of a class may find other classes without their names. */
    static boolean findsAround(byte[] bytes, String where) {
        return calls(bytes, where, AROUND);
    }

    private static boolean calls(byte[] bytes, String where, Set<String> methods) {
        boolean[] found = {false};
        items(bytes, where, (reader, tag, item, buffer) -> {
            if (tag == METHOD || tag == INTERFACE_METHOD) {
                int nameAndType = reader.getItem(reader.readUnsignedShort(item + 2));
                String name = reader.readUTF8(nameAndType, buffer);
                found[0] |= methods.contains(name) || methods.contains(reader.readClass(item, buffer) + "." + name);
            }
        });
        return found[0];
    }

    /** An item of the constant pool, behind its tag. */
    private interface Item {
        void see(ClassReader reader, int tag, int item, char[] buffer);
    }

    private static void items(byte[] bytes, String where, Item visitor) {
        try {
            ClassReader reader = new ClassReader(bytes);
            char[] buffer = new char[reader.getMaxStringLength()];
            for (int i = 1; i < reader.getItemCount(); i++) {
                int item = reader.getItem(i); // 0 for the second half of a long
                if (item > 0) {
                    visitor.see(reader, reader.readByte(item - 1), item, buffer);
                }
            }
        } catch (RuntimeException e) {
            throw unreadable(where, e.toString());
        }
    }
}

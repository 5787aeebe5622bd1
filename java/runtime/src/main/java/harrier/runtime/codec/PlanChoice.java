package harrier.runtime.codec;

import harrier.Actor;
import harrier.ActorName;
import harrier.Role;
import harrier.Scenario;
import harrier.host.ActorThread;
import harrier.host.ActorThreadGroup;
import harrier.host.Lambda;
import harrier.host.Pool;
import harrier.host.Resumed;
import harrier.host.ThreadStandIns;
import harrier.host.ThreadState;
import harrier.runtime.codec.format.Raw;
import harrier.runtime.codec.format.Tag;
import harrier.runtime.codec.graph.ArrayPlan;
import harrier.runtime.codec.graph.BytesPlan;
import harrier.runtime.codec.graph.EnumPlan;
import harrier.runtime.codec.graph.Encoder;
import harrier.runtime.codec.graph.FieldsPlan;
import harrier.runtime.codec.graph.PartsPlan;
import harrier.runtime.codec.graph.Plan;
import harrier.runtime.codec.graph.Plans;
import harrier.runtime.codec.graph.ProxyPlan;
import harrier.runtime.codec.graph.Slot;
import harrier.runtime.codec.graph.Slots;
import harrier.runtime.codec.jdk.InheritedPlan;
import harrier.runtime.codec.jdk.JdkLambdas;
import harrier.runtime.codec.jdk.JdkPlans;
import harrier.runtime.codec.jdk.LoggerPlan;
import harrier.runtime.origin.Loggers;
import harrier.runtime.origin.Origin;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.FutureTask;

/** Chooses the plan of each class: of the language, of the JDK, of loggers, and of programs. */
final class PlanChoice implements Plans.Choice {
    @Override
    public Class<?> hidden(String name) {
        return JdkLambdas.find(name);
    }

    @Override
    public Plan of(Class<?> type, Plans plans) {
        if (type.isHidden()) {
            return JdkLambdas.has(type) ? JdkLambdas.plan(type)
                : new Plan.Refused(type, "it has no name; use a class with a name");
        }
        if (type == Class.class) {
            return new PartsPlan<>(Class.class, Tag.RECORD, List.of("name"), c -> new Object[] {nameOf(c, plans)},
                name -> byName((String) name[0], plans));
        }
        if (type == Proxy.class || Proxy.isProxyClass(type)) {
            return ProxyPlan.of(type, plans.users());
        }
        if (ProxyPlan.isNameless(type)) {
            return new Plan.Refused(Proxy[].class, ProxyPlan.NAMELESS);
        }
        if (type.isArray()) {
            return type == byte[].class ? new BytesPlan() : new ArrayPlan(type);
        }
        if (Enum.class.isAssignableFrom(type) && type != Enum.class) {
            return type.isEnum() && type.getSuperclass() == Enum.class ? new EnumPlan(type) : plans.of(type.getSuperclass());
        }
        if (Origin.isJdks(type)) {
            Plan plan = JdkPlans.plan(type);
            Plan logger = plan != null ? plan : LoggerPlan.of(type, null);
            return logger != null ? logger : new Plan.Refused(type, JdkPlans.mend(type));
        }
        if (type == ThreadStandIns.Group.class) {
            return PartsPlan.only(type, ThreadStandIns.Group.ONLY);
        }
        if (type == ActorThreadGroup.class) {
            return new FieldsPlan(type, Tag.OBJECT, Slots.shown(type, ThreadGroup.class));
        }
        Plan plan = usersPlan(type, plans);
        Plan logger = LoggerPlan.of(type, Loggers.has(type.getName()) ? null : plan);
        return logger != null ? logger : plan;
    }

    private static Plan usersPlan(Class<?> type, Plans plans) {
        if (Scenario.class.isAssignableFrom(type)) {
            return new Plan.RefusedScenario(type);
        }
        if (type == ActorName.class || !plans.finds(type)) {
            return new Plan.Refused(type, "it is not a class of the program under check; keep it out of the actor's state");
        }
        if (Resumed.class.isAssignableFrom(type)) {
            return new ResumedPlan(type);
        }
        if (isInPlaceOfTheJdks(type)) {
            return new FieldsPlan(type, Tag.OBJECT, Slots.shown(type, jdkSuperclass(type)));
        }
        Class<?> collection = JdkPlans.collectionBelow(type);
        if (collection != null) {
            return new InheritedPlan(type, collection, Slots.shown(type, collection));
        }
        if (ActorThread.class.isAssignableFrom(type)) {
            return new FieldsPlan(type, Tag.OBJECT, Slots.shown(type, Thread.class)) {
                @Override
                public void write(Encoder e, Object value) {
                    if (!e.isOfState()) {
                        throw e.refuse(Thread.class, "keep it out of the actor's state");
                    }
                    super.write(e, value);
                }
            };
        }
        for (Class<?> s = type.getSuperclass(); s != null; s = s.getSuperclass()) {
            if (Origin.isJdks(s) && !JdkPlans.isOpen(s)) {
                return new Plan.Refused(type, "it extends " + s.getName() + "; keep it out of the actor's state");
            }
        }
        if (Lambda.class.isAssignableFrom(type)) {
            return lambda(type);
        }
        if (Actor.class.isAssignableFrom(type)) {
            return new FieldsPlan(type, Tag.ACTOR, Slots.shown(type));
        }
        // A role cannot change either.
        boolean isValue = type.isRecord() || type == Role.class || isCaseClass(type);
        return new FieldsPlan(type, isValue ? Tag.RECORD : Tag.OBJECT, Slots.shown(type));
    }

    /**
     * Reports whether a class is one of Scala's case classes, or like one: its objects are compared by what their fields hold, all of
     * which are final. There is but one object of a class with a field {@code MODULE$}, which leads to it.
     */
    private static boolean isCaseClass(Class<?> type) {
        boolean isProduct = false;
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            isProduct |= Arrays.stream(c.getInterfaces()).anyMatch(i -> i.getName().equals("scala.Product"));
            if (Arrays.stream(c.getDeclaredFields()).anyMatch(f -> f.getName().equals("MODULE$")
                    || !Modifier.isStatic(f.getModifiers()) && !Modifier.isFinal(f.getModifiers()))) {
                return false;
            }
        }
        try {
            return isProduct && type.getMethod("equals", Object.class).getDeclaringClass() != Object.class;
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Reports whether a class is harrier's own in the place of one of the JDK's, or extends one, so that it does without that one's fields. */
    private static boolean isInPlaceOfTheJdks(Class<?> type) {
        return ThreadState.class.isAssignableFrom(type) && !Thread.class.isAssignableFrom(type) && !FutureTask.class.isAssignableFrom(type)
            && !type.isRecord() && jdkSuperclass(type) != Object.class;
    }

    private static Class<?> jdkSuperclass(Class<?> type) {
        Class<?> found = type;
        while (!Origin.isJdks(found)) {
            found = found.getSuperclass();
        }
        return found;
    }

    /** The plan of a lambda of the program. One that captures nothing is a single object; another is a new one each time. */
    private static Plan lambda(Class<?> type) {
        List<Slot> captured = Slots.shown(type);
        if (captured.isEmpty()) {
            Raw.UNSAFE.ensureClassInitialized(type);
            return PartsPlan.only(type, Raw.get(type.getDeclaredFields()[0]));
        }
        return new FieldsPlan(type, Tag.OBJECT, captured);
    }

    private static String nameOf(Class<?> type, Plans plans) {
        if (ProxyPlan.isNameless(type)) {
            throw new IllegalStateException(ProxyPlan.NAMELESS);
        }
        if (!plans.finds(type)) {
            throw new IllegalStateException("it is no class of the program under check, but " + type.getName());
        }
        return type.getName();
    }

    private static Class<?> byName(String name, Plans plans) {
        try {
            return plans.resolve(name);
        } catch (ClassNotFoundException | LinkageError e) {
            throw new IllegalArgumentException(e);
        }
    }
}

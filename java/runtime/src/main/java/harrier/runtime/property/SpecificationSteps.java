package harrier.runtime.property;

import harrier.MustWait;
import harrier.runtime.actor.Decoding;
import harrier.runtime.codec.Codec;
import harrier.runtime.codec.format.FormatException;
import harrier.runtime.codec.graph.NotCapturableException;
import harrier.runtime.failure.Failure;
import harrier.runtime.failure.LimitException;
import harrier.runtime.failure.RuleException;
import harrier.runtime.recheck.Repeater;
import harrier.runtime.rules.Guard;
import harrier.runtime.rules.Running;
import harrier.runtime.step.Choices;
import java.lang.reflect.InvocationTargetException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * What a specification answers, on encoded values. Each question is asked of the program's code once, and once more to
 * compare; the answer is remembered, as there are few.
 */
public final class SpecificationSteps {
    /** An encoded value. Equal bytes are one object, so that comparing values costs nothing. */
    static final class Value {
        final byte[] bytes;

        private Value(byte[] bytes) {
            this.bytes = bytes;
        }
    }

    /** The effect of an operation: the state after it, and its result. */
    record Step(Value state, Value result) {}

    /** A question: about an operation in a state, whether two results are equal, or the key of an operation and whether that reads. */
    private record Question(Kind kind, Value first, Value second) {}

    private enum Kind { APPLY, EQUALS, KEY }

    /** What runs code of the specification, as reflection calls it. */
    interface Code<T> {
        T run() throws InvocationTargetException;
    }

    private static final byte[] YES = {1};
    private static final byte[] NO = {0};

    private final Specification specification;
    private final Class<?> read;
    private final Codec codec;
    private final Repeater<SpecificationSteps> again;
    private final boolean remembers;
    private final Map<ByteBuffer, Value> values = new HashMap<>();
    private final Map<Question, List<Value>> answers = new HashMap<>();

    SpecificationSteps(Specification specification, Class<?> read, Codec codec, Repeater<SpecificationSteps> again, boolean remembers) {
        this.specification = specification;
        this.read = read;
        this.codec = codec;
        this.again = again;
        this.remembers = remembers;
    }

    /** The value with these bytes. */
    Value value(byte[] bytes) {
        return values.computeIfAbsent(ByteBuffer.wrap(bytes), b -> new Value(bytes));
    }

    /** The state before all operations. */
    Value initial() {
        return value(running(() -> codec.encode(specification.initial())));
    }

    /** The outcomes of an operation, by the choices of the specification; empty if it has to wait. */
    List<Step> apply(Value state, Value invocation) {
        List<Value> answer = answer(new Question(Kind.APPLY, state, invocation));
        return IntStream.range(0, answer.size() / 2).mapToObj(i -> new Step(answer.get(2 * i), answer.get(2 * i + 1))).toList();
    }

    /** Reports whether the result that an operation returned is what the specification gives. */
    boolean isSame(Value given, Value returned) {
        return given == returned || answer(new Question(Kind.EQUALS, given, returned)).get(0).bytes[0] != 0;
    }

    Value key(Value invocation) {
        return answer(new Question(Kind.KEY, invocation, invocation)).get(0);
    }

    /** Reports whether an operation is judged by itself, with those that are not. */
    boolean isRead(Value invocation) {
        return answer(new Question(Kind.KEY, invocation, invocation)).get(1).bytes[0] != 0;
    }

    private List<Value> answer(Question q) {
        List<Value> known = answers.get(q);
        if (known == null) {
            known = again.answers(this, List.of(new Repeater.Question<>(q.first.bytes, true, s -> s.asked(q))), this::compared).get(0)
                .stream().map(this::value).toList();
            if (remembers) {
                answers.put(q, known);
            }
        }
        return known;
    }

    private List<byte[]> asked(Question q) {
        return running(() -> switch (q.kind) {
            case APPLY -> applied(q);
            case EQUALS -> List.of(Objects.deepEquals(decode(q.first), decode(q.second)) ? YES : NO);
            case KEY -> {
                Object invocation = decode(q.first);
                yield List.of(codec.encode(specification.key(invocation)), read != null && read.isInstance(invocation) ? YES : NO);
            }
        });
    }

    /** The states and results, by turns; none of choices with which the operation has to wait. */
    private List<byte[]> applied(Question q) throws InvocationTargetException {
        List<byte[]> all = new ArrayList<>();
        for (Choices choices = Choices.first(); choices != null; choices = choices.next()) {
            Choices these = choices;
            Object state = decode(q.first);
            Object result;
            try {
                result = specification.apply(state, decode(q.second), n -> choose(these, n));
            } catch (InvocationTargetException e) {
                if (e.getCause() instanceof MustWait) {
                    continue;
                }
                throw e;
            }
            byte[] encoded = codec.encode(result);
            all.add(codec.encode(state));
            all.add(encoded);
        }
        return all;
    }

    private static int choose(Choices choices, int n) {
        if (n < 1) {
            throw new IllegalArgumentException("a choice among " + n + ": at least one alternative is needed");
        }
        return choices.choose(n);
    }

    private List<byte[]> compared(List<byte[]> first, List<List<byte[]>> others) {
        if (others.stream().anyMatch(o -> !Objects.deepEquals(o.toArray(), first.toArray()))) {
            throw RuleException.ofTwo("two answers of " + what() + " for the same operations: it must not depend on iteration"
                + " order, time or chance");
        }
        return first;
    }

    String what() {
        return "the specification " + specification.name();
    }

    Value encode(Object object) {
        return value(codec.encode(object));
    }

    /** The object that a value is the encoding of, made anew. */
    Object decode(Value value) {
        return decode(value.bytes);
    }

    /** The object with these bytes, made anew. */
    Object decode(byte[] bytes) {
        return Decoding.of("what " + what() + " is given", () -> codec.decode(bytes));
    }

    /** Runs an action that may run code of the program. */
    <T> T running(Code<T> code) {
        Running.begin(what());
        T given;
        try {
            given = code.run();
        } catch (InvocationTargetException e) {
            throw failed(e.getCause());
        } catch (NotCapturableException e) {
            throw new RuleException(what() + ": " + e.getMessage());
        } catch (RuleException | LimitException | FormatException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            throw failed(e); // such as by equals
        } finally {
            Running.end();
        }
        Guard.here().refuse(what(), "");
        return given;
    }

    private RuntimeException failed(Throwable thrown) {
        if (thrown instanceof OutOfMemoryError) {
            return LimitException.heap(what());
        }
        Failure failure = Failure.of(thrown); // which runs code of the program, too
        Guard.here().refuse(what(), "");
        return new RuleException(what() + " fails: " + failure.text()
            + (failure.stack().isEmpty() ? "" : " at " + failure.stack().get(0)) + ": it must give a result for every operation in"
            + " every state, or throw MustWait where the operation cannot take effect yet");
    }
}

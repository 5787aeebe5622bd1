package harrier.runtime.program;

import harrier.runtime.actor.Envelope;
import harrier.runtime.actor.Fault;
import harrier.runtime.actor.Role;
import harrier.runtime.actor.Rounds;
import harrier.runtime.actor.Scope;
import harrier.runtime.analysis.footprint.Footprint;
import harrier.runtime.failure.Failure;
import harrier.runtime.property.Evaluator;
import harrier.runtime.step.ActorState;
import harrier.runtime.step.CrashPoint;
import harrier.runtime.step.OperationRecord;
import harrier.runtime.step.Outcome;
import harrier.runtime.step.PendingEvent;
import harrier.runtime.step.Quorum;
import harrier.runtime.step.Steps;
import harrier.runtime.wire.RecordKind;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * How questions and answers are laid out in the memory shared with harrier's Go side: numbers as 4
 * bytes, big endian; strings (UTF-8) and byte sequences behind their length; sequences behind their
 * count. Package {@code bridge} on the Go side reads and writes the same.
 */
public final class Wire {
    private Wire() {}

    /** Reads a question. */
    public record Reader(ByteBuffer in) {
        public int number() {
            return in.getInt();
        }

        public byte[] bytes() {
            byte[] bytes = new byte[in.getInt()];
            in.get(bytes);
            return bytes;
        }

        public String string() {
            return new String(bytes(), StandardCharsets.UTF_8);
        }

        public boolean flag() {
            return number() != 0;
        }

        public List<Integer> numbers() {
            List<Integer> numbers = new ArrayList<>();
            for (int n = number(); n > 0; n--) {
                numbers.add(number());
            }
            return numbers;
        }

        public List<String> list() {
            List<String> list = new ArrayList<>();
            for (int n = number(); n > 0; n--) {
                list.add(string());
            }
            return list;
        }

        public Map<String, String> strings() {
            Map<String, String> map = new TreeMap<>();
            for (int n = number(); n > 0; n--) {
                map.put(string(), string());
            }
            return map;
        }

        public Map<String, byte[]> blobs() {
            Map<String, byte[]> map = new TreeMap<>();
            for (int n = number(); n > 0; n--) {
                map.put(string(), bytes());
            }
            return map;
        }

        public List<Envelope> envelopes() {
            List<Envelope> envelopes = new ArrayList<>();
            for (int n = number(); n > 0; n--) {
                envelopes.add(new Envelope(string(), string(), bytes()));
            }
            return envelopes;
        }

        /** Byte sequences by their numbers. */
        public Map<Integer, byte[]> numbered() {
            Map<Integer, byte[]> map = new TreeMap<>();
            for (int n = number(); n > 0; n--) {
                map.put(number(), bytes());
            }
            return map;
        }

        public List<OperationRecord> records() {
            List<OperationRecord> records = new ArrayList<>();
            for (int n = number(); n > 0; n--) {
                records.add(new OperationRecord(string(), RecordKind.values()[number()], bytes()));
            }
            return records;
        }

        public List<ActorState> actors() {
            List<ActorState> actors = new ArrayList<>();
            for (int n = number(); n > 0; n--) {
                actors.add(new ActorState(string(), string(), bytes(), flag()));
            }
            return actors;
        }
    }

    /** Writes an answer. */
    public static final class Writer {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final DataOutputStream out = new DataOutputStream(bytes);

        public byte[] toBytes() {
            return bytes.toByteArray();
        }

        public Writer number(int n) {
            try {
                out.writeInt(n);
            } catch (IOException e) {
                throw new UncheckedIOException(e); // a byte array takes everything
            }
            return this;
        }

        public Writer flag(boolean b) {
            return number(b ? 1 : 0);
        }

        public Writer bytes(byte[] b) {
            number(b.length);
            bytes.writeBytes(b);
            return this;
        }

        public Writer string(String s) {
            return bytes(s.getBytes(StandardCharsets.UTF_8));
        }

        public Writer strings(List<String> list) {
            number(list.size());
            list.forEach(this::string);
            return this;
        }

        // Loops from here on, as the first answers are written before the virtual machine made what lambdas need.

        public Writer numbers(List<Integer> list) {
            number(list.size());
            for (int n : list) {
                number(n);
            }
            return this;
        }

        public Writer actors(List<ActorState> actors) {
            number(actors.size());
            for (ActorState a : actors) {
                string(a.name()).string(a.type()).bytes(a.local()).flag(a.acts());
            }
            return this;
        }

        public Writer envelopes(List<Envelope> envelopes) {
            number(envelopes.size());
            for (Envelope e : envelopes) {
                string(e.sender()).string(e.receiver()).bytes(e.payload());
            }
            return this;
        }

        public Writer records(List<OperationRecord> records) {
            number(records.size());
            for (OperationRecord r : records) {
                string(r.actor()).number(r.kind().ordinal()).bytes(r.payload());
            }
            return this;
        }

        /** A failure behind a 1, or a 0. */
        public Writer failure(Failure failure) {
            if (failure == null) {
                return number(0);
            }
            return number(1).string(failure.kind()).string(failure.text()).strings(failure.stack())
                .string(failure.caught()).string(failure.property());
        }

        public Writer outcome(Outcome o) {
            return string(o.handler()).numbers(o.choices()).failure(o.failure()).bytes(o.local())
                .envelopes(o.sends()).actors(o.creates()).records(o.records()).bytes(o.fired())
                .renewed(o.renewed()).flag(o.acts()).flag(o.stopped()).flag(o.due()).point(o.point()).string(o.thread());
        }

        private Writer renewed(List<PendingEvent> renewed) {
            number(renewed.size());
            for (PendingEvent e : renewed) {
                string(e.task()).bytes(e.timer());
            }
            return this;
        }

        /** How time goes on behind a 1, or a 0. */
        public Writer rounds(Rounds r) {
            return r == null ? number(0)
                : number(1).string(Long.toString(r.tick())).number(r.drift()).number(r.number()).number(r.delay());
        }

        /** Where an actor crashed behind a 1, or a 0. */
        private Writer point(CrashPoint p) {
            return p == null ? number(0) : number(1).number(p.number()).string(p.where()).flag(p.isWhole());
        }

        public Writer scope(Scope s) {
            return flag(s.all()).strings(s.names());
        }

        /** The messages of adversaries behind a 1, or a 0 if they were not declared. */
        public Writer fault(Fault f) {
            number(f.kind().ordinal()).scope(f.scope()).scope(f.senders()).flag(f.self()).flag(f.within()).flag(f.losing())
                .number(f.filling()).number(f.budget()).string(f.label());
            return f.domain() == null ? number(0) : number(1).envelopes(f.domain());
        }

        public Writer roles(List<Role> roles) {
            number(roles.size());
            roles.forEach(r -> string(r.name()).strings(r.names()));
            return this;
        }

        public Writer footprint(Footprint f) {
            string(f.handler()).touches(f.guardReads()).touches(f.reads()).touches(f.writes());
            number(f.sends().size());
            f.sends().forEach(s -> string(s.type()).number(s.to().ordinal()).string(s.field()).string(s.where()));
            return flag(f.creates()).flag(f.stops()).flag(f.records());
        }

        private Writer touches(List<Footprint.Touch> touches) {
            number(touches.size());
            touches.forEach(t -> string(t.field()).string(t.where()));
            return this;
        }

        public Writer judgement(Evaluator.Judgement j) {
            judgementOnce(j);
            return j.varied() == null ? number(0) : number(1).judgementOnce(j.varied());
        }

        private Writer judgementOnce(Evaluator.Judgement j) {
            return flag(j.holds()).failure(j.failure()).numbers(j.reads()).numbers(j.fields()).numbers(j.hashed()).looks(j.looks().isAtAll(), j.looks().names());
        }

        public Writer answer(Steps.Answer a) {
            answerOnce(a);
            return a.varied() == null ? number(0) : number(1).answerOnce(a.varied());
        }

        private Writer answerOnce(Steps.Answer a) {
            number(a.executions()).number(a.outcomes().size());
            for (Outcome o : a.outcomes()) {
                outcome(o);
            }
            number(a.quorums().size());
            for (Quorum q : a.quorums()) {
                string(q.handler()).number(q.size()).string(q.role());
            }
            return looks(a.looks().isAtAll(), a.looks().names());
        }

        private Writer looks(boolean isAtAll, Set<String> names) {
            return flag(!isAtAll).strings(isAtAll ? List.of() : List.copyOf(names));
        }
    }
}

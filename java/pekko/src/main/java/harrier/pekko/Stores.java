package harrier.pekko;

import com.typesafe.config.ConfigFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Extension;
import org.apache.pekko.actor.ExtensionId;
import org.apache.pekko.persistence.AtomicWrite;
import org.apache.pekko.persistence.DeleteMessagesSuccess;
import org.apache.pekko.persistence.DeleteSnapshotsSuccess;
import org.apache.pekko.persistence.JournalProtocol;
import org.apache.pekko.persistence.Persistence;
import org.apache.pekko.persistence.PersistentEnvelope;
import org.apache.pekko.persistence.PersistentRepr;
import org.apache.pekko.persistence.PersistentRepr$;
import org.apache.pekko.persistence.RecoveryPermitter;
import org.apache.pekko.persistence.SaveSnapshotSuccess;
import org.apache.pekko.persistence.SelectedSnapshot;
import org.apache.pekko.persistence.SnapshotMetadata;
import org.apache.pekko.persistence.SnapshotProtocol;
import org.apache.pekko.persistence.journal.Tagged;
import org.apache.pekko.persistence.state.DurableStateStoreRegistry;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/** The library's extension for persistence, whose stores are what each actor has stored ({@link Storage}). */
final class Stores {
    static final ActorSystem.Settings SETTINGS = new ActorSystem.Settings(Stores.class.getClassLoader(), LocalSystem.Configuration.CONFIG, LocalSystem.NAME);

    private static final Map<ExtensionId<?>, Extension> EXTENSIONS = new LinkedHashMap<>(); // as they have no hash codes of their own

    static {
        Persistence persistence = Persistence.get((ActorSystem) ClassicSystem.ONLY);
        persistence.configFor(persistence.journalFor("", ConfigFactory.empty()));
        persistence.configFor(persistence.snapshotStoreFor("", ConfigFactory.empty()));
        DurableStateStoreRegistry.get((ActorSystem) ClassicSystem.ONLY).durableStateStoreFor("");
    }

    private Stores() {}

    /** What behaviors get from here. */
    static List<Object> shared() {
        return List.copyOf(EXTENSIONS.values());
    }

    @SuppressWarnings("unchecked")
    static <T extends Extension> T extension(ExtensionId<T> id) {
        T extension = (T) EXTENSIONS.get(id);
        if (extension == null) {
            String type = id.getClass().getName();
            if (!type.startsWith("org.apache.pekko.persistence.") || type.startsWith("org.apache.pekko.persistence.query.")) {
                throw LocalSystem.unsupported("the extension " + id);
            }
            extension = id.createExtension(ClassicSystem.ONLY);
            EXTENSIONS.put(id, extension);
        }
        return extension;
    }

    static void ask(TypedActor<?> actor, Object message) {
        Storage storage = actor.storage();
        if (message instanceof JournalProtocol.WriteMessages m) {
            write(actor, m);
        } else if (message instanceof JournalProtocol.ReplayMessages m) {
            replay(actor, m);
        } else if (message instanceof JournalProtocol.DeleteMessagesTo m) {
            storage.askAside(actor, "deletion of events", m.persistenceId(), j -> j.withoutEvents(e -> e.number() <= m.toSequenceNr()),
                new DeleteMessagesSuccess(m.toSequenceNr()));
        } else if (message instanceof SnapshotProtocol.LoadSnapshot m) {
            actor.parts().answer(new SnapshotProtocol.LoadSnapshotResult(Option.apply(selected(storage, m)), m.toSequenceNr()));
        } else if (message instanceof SnapshotProtocol.SaveSnapshot m) {
            Journal.Snapshot snapshot = Journal.Snapshot.of(m.metadata().sequenceNr(), m.snapshot());
            storage.ask(actor, snapshot, m.metadata().persistenceId(), j -> j.with(snapshot), List.of(new SaveSnapshotSuccess(m.metadata())));
        } else if (message instanceof SnapshotProtocol.DeleteSnapshots m) {
            storage.askAside(actor, "deletion of snapshots", m.persistenceId(),
                j -> j.withoutSnapshots(s -> m.criteria().matches(metadata(m.persistenceId(), s))), new DeleteSnapshotsSuccess(m.criteria()));
        } else if (message instanceof RecoveryPermitter.RequestRecoveryPermit$) {
            storage.recover(actor, RecoveryPermitter.RecoveryPermitGranted$.MODULE$);
        } else if (!(message instanceof RecoveryPermitter.ReturnRecoveryPermit$)) {
            throw LocalSystem.unsupported("a store's answer to " + message.getClass().getSimpleName());
        }
    }

    private static void write(TypedActor<?> actor, JournalProtocol.WriteMessages m) {
        List<Journal.Event> events = new ArrayList<>();
        List<Object> answers = new ArrayList<>();
        String id = null;
        for (PersistentEnvelope envelope : CollectionConverters.asJava(m.messages())) {
            for (PersistentRepr repr : CollectionConverters.asJava(((AtomicWrite) envelope).payload())) {
                id = repr.persistenceId();
                Object event = repr.payload() instanceof Tagged tagged ? tagged.payload() : repr.payload(); // tags are for queries
                events.add(Journal.Event.of(repr.sequenceNr(), event, repr.manifest()));
                answers.add(new JournalProtocol.WriteMessageSuccess(repr, m.actorInstanceId()));
            }
        }
        List<Journal.Event> all = List.copyOf(events);
        actor.storage().ask(actor, all.stream().map(Journal.Event::event).toList(), id, j -> j.with(all), List.copyOf(answers));
    }

    private static void replay(TypedActor<?> actor, JournalProtocol.ReplayMessages m) {
        Journal journal = actor.storage().journal(m.persistenceId());
        journal.events().stream().filter(e -> e.number() >= m.fromSequenceNr() && e.number() <= m.toSequenceNr()).limit(m.max()).forEach(e ->
            actor.parts().answer(new JournalProtocol.ReplayedMessage(PersistentRepr$.MODULE$.apply(e.read(), e.number(), m.persistenceId(), e.manifest(),
                false, null, ""))));
        actor.parts().answer(new JournalProtocol.RecoverySuccess(journal.highest()));
    }

    private static SelectedSnapshot selected(Storage storage, SnapshotProtocol.LoadSnapshot m) {
        SelectedSnapshot last = null;
        for (Journal.Snapshot s : storage.journal(m.persistenceId()).snapshots()) {
            SnapshotMetadata metadata = metadata(m.persistenceId(), s);
            if (m.criteria().limit(m.toSequenceNr()).matches(metadata)) {
                last = new SelectedSnapshot(metadata, s.read());
            }
        }
        return last;
    }

    private static SnapshotMetadata metadata(String id, Journal.Snapshot snapshot) {
        return new SnapshotMetadata(id, snapshot.number(), 0);
    }
}

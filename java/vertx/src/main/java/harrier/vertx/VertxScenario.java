package harrier.vertx;

import harrier.Scenario;
import harrier.Show;
import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.eventbus.MessageCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/**
 * A scenario of verticles of Vert.x: {@link #setUp} deploys them, all at the same time, and properties read their fields.
 *
 * <pre>{@code
 * public final class Counting extends VertxScenario {
 *     @Override protected void setUp() {
 *         deploy("counter", new Counter());
 *         deploy("client", 2, i -> new Client());
 *     }
 *
 *     @Invariant("it counts each client once")
 *     boolean once() {
 *         return verticle(Counter.class).value() <= 2;
 *     }
 * }
 * }</pre>
 *
 * <p>The event bus delivers as within one Vert.x. The role {@code bus} is reserved for it.
 */
@Show({"harrier.vertx.Mail$Parcel=shown", "harrier.vertx.Mail$Delivery=shown", "harrier.vertx.Mail$PassOn=shown",
    "harrier.vertx.LocalContext=", "harrier.vertx.LocalVertx=", "harrier.vertx.Alarms=", "harrier.vertx.Blocking=",
    "harrier.vertx.Deployments=", "harrier.vertx.Services=", "io.vertx.core.json.JsonObject=getMap", "io.vertx.core.json.JsonArray=getList",
    "io.vertx.core.eventbus.ReplyException=getMessage"})
public abstract class VertxScenario extends Scenario {
    /** Null before the first verticle is deployed. */
    private Services services;
    private final List<Codec> codecs = new ArrayList<>();

    /** For subclasses. */
    protected VertxScenario() {}

    /** Registers a codec with the event bus. Works in {@link #setUp}, before any verticle is deployed. */
    protected final void registerCodec(MessageCodec<?, ?> codec) {
        register(new Codec(null, codec));
    }

    /** Registers the codec of a class with the event bus. Works in {@link #setUp}, before any verticle is deployed. */
    protected final <T> void registerDefaultCodec(Class<T> type, MessageCodec<T, ?> codec) {
        register(new Codec(Objects.requireNonNull(type), codec));
    }

    private void register(Codec codec) {
        if (services != null) {
            throw new IllegalStateException("codecs come before any verticle is deployed");
        }
        codecs.add(codec);
    }

    /** Deploys a verticle. Works in {@link #setUp}. */
    protected final void deploy(String name, Deployable verticle) {
        deploy(name, verticle, new DeploymentOptions());
    }

    /** Deploys a verticle with options, such as its {@code config}. Works in {@link #setUp}. */
    protected final void deploy(String name, Deployable verticle, DeploymentOptions options) {
        begin();
        create(name, actor(verticle, options));
    }

    /**
     * Deploys {@code n} verticles of a role, named {@code role1} to {@code roleN}, each from its index, from 0 on. Those that differ in
     * their names only are symmetric. Works in {@link #setUp}.
     */
    protected final void deploy(String role, int n, IntFunction<? extends Deployable> verticle) {
        begin();
        create(role, n, i -> actor(verticle.apply(i), new DeploymentOptions()));
    }

    private VerticleActor actor(Deployable verticle, DeploymentOptions options) {
        if (options.getInstances() != 1) {
            throw new IllegalArgumentException("deploy(role, n, verticle) deploys several");
        }
        return new VerticleActor(Objects.requireNonNull(verticle), null, services, null, options);
    }

    private void begin() {
        if (services == null) {
            network().fifo();
            services = new Services(create("bus", new BusActor()), List.copyOf(codecs));
        }
    }

    /** A number from 0 to {@code n - 1}, each of which is explored. Works in verticles, such as those of clients. */
    public static int choice(int n) {
        return VerticleActor.here().chooseOf(n);
    }

    /**
     * The deployed verticle of a class. Works in properties.
     *
     * @throws NoSuchElementException if there is none
     */
    protected final <V> V verticle(Class<V> type) {
        return verticles(type).findFirst().orElseThrow(() -> new NoSuchElementException("no " + type.getSimpleName() + " is deployed"));
    }

    /** The deployed verticles of a class, whoever deployed them, from when they are started to when they are undeployed. Works in properties. */
    protected final <V> Stream<V> verticles(Class<V> type) {
        return actors(VerticleActor.class).filter(VerticleActor::isDeployed).map(VerticleActor::verticle).filter(type::isInstance).map(type::cast);
    }
}

package harrier.vertx;

import io.netty.channel.EventLoopGroup;
import io.vertx.core.Closeable;
import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Timer;
import io.vertx.core.Vertx;
import io.vertx.core.datagram.DatagramSocket;
import io.vertx.core.datagram.DatagramSocketOptions;
import io.vertx.core.dns.DnsClient;
import io.vertx.core.dns.DnsClientOptions;
import io.vertx.core.file.FileSystem;
import io.vertx.core.http.HttpClientBuilder;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.internal.CloseFuture;
import io.vertx.core.internal.ContextBuilder;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.internal.WorkerExecutorInternal;
import io.vertx.core.internal.WorkerPool;
import io.vertx.core.internal.deployment.DeploymentManager;
import io.vertx.core.internal.resolver.NameResolver;
import io.vertx.core.internal.threadchecker.BlockedThreadChecker;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.impl.NetServerInternal;
import io.vertx.core.net.impl.ServerID;
import io.vertx.core.shareddata.SharedData;
import io.vertx.core.spi.VerticleFactory;
import io.vertx.core.spi.cluster.ClusterManager;
import io.vertx.core.spi.context.storage.ContextLocal;
import io.vertx.core.spi.file.FileResolver;
import io.vertx.core.spi.metrics.VertxMetrics;
import io.vertx.core.spi.tracing.VertxTracer;
import io.vertx.core.spi.transport.Transport;
import java.lang.ref.Cleaner;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/** What a verticle has as its Vert.x. */
final class LocalVertx implements VertxInternal {
    private final VerticleActor verticle;
    private final LocalBus bus;
    private final LocalData data;

    LocalVertx(VerticleActor verticle, Services services) {
        this.verticle = verticle;
        bus = new LocalBus(this, verticle, services.codecs());
        data = new LocalData(verticle);
    }

    /** The error for what is missing. It is one that no handler of exceptions can take without the check noticing. */
    static AssertionError unsupported(String what) {
        return unsupported(what, "harrier runs verticles without the library's threads and network");
    }

    /** The same, with what to do instead. */
    static AssertionError unsupported(String what, String mend) {
        return new AssertionError(what + " is not there: " + mend);
    }

    @Override
    public LocalContext getOrCreateContext() {
        return verticle.context();
    }

    @Override
    public LocalContext getContext() {
        return verticle.context();
    }

    @Override
    public LocalBus eventBus() {
        return bus;
    }

    @Override
    public SharedData sharedData() {
        return data;
    }

    @Override
    public void runOnContext(Handler<Void> action) {
        verticle.context().runOnContext(action);
    }

    @Override
    public <T> Future<T> executeBlocking(Callable<T> code, boolean ordered) {
        return verticle.context().executeBlocking(code, ordered);
    }

    @Override
    public boolean isClustered() {
        return false;
    }

    @Override
    public VertxMetrics metrics() {
        return null;
    }

    @Override
    public VertxTracer<?, ?> tracer() {
        return null;
    }

    // Timers.

    @Override
    public long setTimer(long delay, Handler<Long> handler) {
        return verticle.alarms().set(delay, 0, handler);
    }

    @Override
    public long setPeriodic(long first, long delay, Handler<Long> handler) {
        if (delay < 1) {
            throw new IllegalArgumentException("Cannot schedule a timer with delay < 1 ms");
        }
        return verticle.alarms().set(first, delay, handler);
    }

    @Override
    public boolean cancelTimer(long id) {
        return verticle.alarms().cancel(id);
    }

    // Deployments.

    @Override
    public Future<String> deployVerticle(Deployable deployed, DeploymentOptions options) {
        if (options.getInstances() != 1) {
            throw new IllegalArgumentException("Can't specify > 1 instances for already created verticle");
        }
        return deploy(() -> deployed, options);
    }

    @Override
    public Future<String> deployVerticle(Supplier<? extends Deployable> supplier, DeploymentOptions options) {
        return deploy(supplier::get, options);
    }

    @Override
    public Future<String> deployVerticle(Class<? extends Deployable> type, DeploymentOptions options) {
        return deploy(() -> type.getDeclaredConstructor().newInstance(), options);
    }

    private Future<String> deploy(Callable<? extends Deployable> supplier, DeploymentOptions options) {
        return verticle.deployments().deploy(supplier, options);
    }

    @Override
    public Future<Void> undeploy(String id) {
        if (verticle.deployments().has(id)) {
            return verticle.deployments().undeploy(id);
        }
        if (id.equals(verticle.deploymentID()) && verticle.context().getInstanceCount() == 1) {
            return verticle.undeploy();
        }
        throw unsupported("undeploying what another verticle deployed");
    }

    // What is not there.

    @Override
    public Future<String> deployVerticle(String name, DeploymentOptions options) {
        throw unsupported("deploying a verticle by its name", "name its class");
    }

    @Override
    public Set<String> deploymentIDs() {
        throw unsupported("deploymentIDs()");
    }

    @Override
    public Future<Void> close() {
        throw unsupported("close()", "undeploy verticles");
    }

    @Override
    public Vertx exceptionHandler(Handler<Throwable> handler) {
        throw unsupported("exceptionHandler() of Vertx, which all verticles share,", "set that of the context");
    }

    @Override
    public Handler<Throwable> exceptionHandler() {
        throw unsupported("exceptionHandler() of Vertx, which all verticles share,", "set that of the context");
    }

    @Override
    public Timer timer(long delay, TimeUnit unit) {
        throw unsupported("a Timer", "use setTimer");
    }

    @Override
    public NetServerInternal createNetServer(NetServerOptions options) {
        throw unsupported("a network");
    }

    @Override
    public NetClient createNetClient(NetClientOptions options) {
        throw unsupported("a network");
    }

    @Override
    public HttpServer createHttpServer(HttpServerOptions options) {
        throw unsupported("a network");
    }

    @Override
    public WebSocketClient createWebSocketClient(WebSocketClientOptions options) {
        throw unsupported("a network");
    }

    @Override
    public HttpClientBuilder httpClientBuilder() {
        throw unsupported("a network");
    }

    @Override
    public DatagramSocket createDatagramSocket(DatagramSocketOptions options) {
        throw unsupported("a network");
    }

    @Override
    public DnsClient createDnsClient(int port, String host) {
        throw unsupported("a network");
    }

    @Override
    public DnsClient createDnsClient() {
        throw unsupported("a network");
    }

    @Override
    public DnsClient createDnsClient(DnsClientOptions options) {
        throw unsupported("a network");
    }

    @Override
    public FileSystem fileSystem() {
        throw unsupported("a file system");
    }

    @Override
    public void registerVerticleFactory(VerticleFactory factory) {
        throw unsupported("a factory of verticles");
    }

    @Override
    public void unregisterVerticleFactory(VerticleFactory factory) {
        throw unsupported("a factory of verticles");
    }

    @Override
    public Set<VerticleFactory> verticleFactories() {
        throw unsupported("a factory of verticles");
    }

    @Override
    public WorkerExecutorInternal createSharedWorkerExecutor(String name) {
        throw unsupported("a pool of workers", "use executeBlocking");
    }

    @Override
    public WorkerExecutorInternal createSharedWorkerExecutor(String name, int size) {
        throw unsupported("a pool of workers", "use executeBlocking");
    }

    @Override
    public WorkerExecutorInternal createSharedWorkerExecutor(String name, int size, long time) {
        throw unsupported("a pool of workers", "use executeBlocking");
    }

    @Override
    public WorkerExecutorInternal createSharedWorkerExecutor(String name, int size, long time, TimeUnit unit) {
        throw unsupported("a pool of workers", "use executeBlocking");
    }

    @Override
    public WorkerPool createSharedWorkerPool(String name, int size, long time, TimeUnit unit) {
        throw unsupported("a pool of workers", "use executeBlocking");
    }

    @Override
    public WorkerPool wrapWorkerPool(ExecutorService executor) {
        throw unsupported("a pool of workers", "use executeBlocking");
    }

    @Override
    public WorkerPool workerPool() {
        throw unsupported("a pool of workers", "use executeBlocking");
    }

    @Override
    public WorkerPool internalWorkerPool() {
        throw unsupported("a pool of workers", "use executeBlocking");
    }

    @Override
    public boolean isNativeTransportEnabled() {
        throw unsupported("a transport");
    }

    @Override
    public Throwable unavailableNativeTransportCause() {
        throw unsupported("a transport");
    }

    @Override
    public Transport transport() {
        throw unsupported("a transport");
    }

    @Override
    public EventLoopGroup eventLoopGroup() {
        throw unsupported("Netty's event loop");
    }

    @Override
    public EventLoopGroup acceptorEventLoopGroup() {
        throw unsupported("Netty's event loop");
    }

    @Override
    public EventLoopGroup nettyEventLoopGroup() {
        throw unsupported("Netty's event loop");
    }

    @Override
    public Map<ServerID, NetServerInternal> sharedTcpServers() {
        throw unsupported("a network");
    }

    @Override
    public Cleaner cleaner() {
        throw unsupported("a cleaner");
    }

    @Override
    public <C> C createSharedResource(String kind, String name, CloseFuture closes, Function<CloseFuture, C> creates) {
        throw unsupported("a resource that verticles share");
    }

    @Override
    public ContextBuilder contextBuilder() {
        throw unsupported("a context of one's own");
    }

    @Override
    public ClusterManager clusterManager() {
        throw unsupported("a cluster");
    }

    @Override
    public DeploymentManager deploymentManager() {
        throw unsupported("the manager of deployments");
    }

    @Override
    public NameResolver nameResolver() {
        throw unsupported("a network");
    }

    @Override
    public FileResolver fileResolver() {
        throw unsupported("a file system");
    }

    @Override
    public List<ContextLocal<?>> contextLocals() {
        throw unsupported("local data of contexts");
    }

    @Override
    public BlockedThreadChecker blockedThreadChecker() {
        throw unsupported("a checker of threads");
    }

    @Override
    public CloseFuture closeFuture() {
        throw unsupported("closeFuture()");
    }

    @Override
    public void addCloseHook(Closeable hook) {
        throw unsupported("closeFuture()");
    }

    @Override
    public void removeCloseHook(Closeable hook) {
        throw unsupported("closeFuture()");
    }

    @Override
    public boolean isVirtualThreadAvailable() {
        throw unsupported("a virtual thread");
    }
}

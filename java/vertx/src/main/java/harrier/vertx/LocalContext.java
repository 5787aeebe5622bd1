package harrier.vertx;

import io.netty.channel.EventLoop;
import io.vertx.core.Closeable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Timer;
import io.vertx.core.impl.EventLoopExecutor;
import io.vertx.core.internal.CloseFuture;
import io.vertx.core.internal.ContextBuilder;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.EventExecutor;
import io.vertx.core.internal.WorkerPool;
import io.vertx.core.internal.deployment.DeploymentContext;
import io.vertx.core.json.JsonObject;
import io.vertx.core.spi.context.storage.AccessMode;
import io.vertx.core.spi.context.storage.ContextLocal;
import io.vertx.core.spi.tracing.VertxTracer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A verticle's context: all of the verticle's code runs on it, one step at a time. */
final class LocalContext implements ContextInternal {
    private final VerticleActor verticle;
    private final JsonObject config;
    private final ThreadingModel threading;
    private final int instances;
    private final EventExecutor executor = new EventLoopExecutor(new LocalLoop(this));
    private final ConcurrentMap<Object, Object> data = new ConcurrentHashMap<>();
    private final List<Closeable> closeHooks = new ArrayList<>();
    private Handler<Throwable> exceptionHandler;
    /** What nobody handled in this step; null if there is nothing. */
    private Throwable failure;
    /** Whether what is given to the executor is what the step is for. */
    private boolean isDelivering;

    LocalContext(VerticleActor verticle, DeploymentOptions options) {
        this.verticle = verticle;
        config = options.getConfig() == null ? new JsonObject() : options.getConfig().copy();
        threading = options.getThreadingModel() == null ? ThreadingModel.EVENT_LOOP : options.getThreadingModel();
        instances = options.getInstances();
        if (threading == ThreadingModel.VIRTUAL_THREAD) {
            throw LocalVertx.unsupported("a verticle on a virtual thread");
        }
    }

    // Exceptions.

    /** Rethrows what is no exception of the program. */
    static void requireOrdinary(Throwable e) {
        if (e instanceof Error error) {
            throw error;
        }
        if (e.getClass().getName().startsWith("harrier.")) {
            throw (RuntimeException) e;
        }
    }

    @Override
    public void reportException(Throwable e) {
        requireOrdinary(e);
        if (exceptionHandler != null) {
            exceptionHandler.handle(e);
        } else {
            fail(e);
        }
    }

    /** Has the step fail. */
    void fail(Throwable e) {
        if (failure == null) {
            failure = e;
        }
    }

    /** Throws what nobody handled in this step. */
    void rethrow() {
        if (failure != null) {
            throw LocalContext.<RuntimeException>as(failure);
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> E as(Throwable e) throws E {
        throw (E) e;
    }

    @Override
    public LocalContext exceptionHandler(Handler<Throwable> handler) {
        exceptionHandler = handler;
        return this;
    }

    @Override
    public Handler<Throwable> exceptionHandler() {
        return exceptionHandler;
    }

    // Running code.

    /** Runs what the library has the executor do at once, as it is what the step is for. */
    void delivering(Runnable code) {
        isDelivering = true;
        try {
            code.run();
        } finally {
            isDelivering = false;
        }
    }

    @Override
    public EventExecutor executor() {
        return executor;
    }

    @Override
    public EventExecutor eventLoop() {
        return executor;
    }

    @Override
    public boolean inThread() {
        return true;
    }

    @Override
    public boolean isRunningOnContext() {
        return true;
    }

    /** Runs at once, as on the library's own threads. */
    @Override
    public void execute(Runnable task) {
        task.run();
    }

    /** Runs what is given to the executor. */
    void enqueue(Runnable task) {
        if (isDelivering) {
            isDelivering = false;
            task.run();
        } else {
            verticle.later(task);
        }
    }

    @Override
    public void runOnContext(Handler<Void> action) {
        verticle.later(() -> dispatch(action));
    }

    @Override
    public <T> void emit(T argument, Handler<T> task) {
        dispatch(argument, task);
    }

    @Override
    public <T> void execute(T argument, Handler<T> task) {
        task.handle(argument);
    }

    @Override
    public LocalContext beginDispatch() {
        return this;
    }

    @Override
    public void endDispatch(ContextInternal previous) {}

    @Override
    public <T> Future<T> executeBlocking(Callable<T> code, boolean ordered) {
        return verticle.blocking().add(code, ordered);
    }

    @Override
    public long setTimer(long delay, Handler<Long> handler) {
        return verticle.alarms().timeOut(delay, handler);
    }

    @Override
    public long setPeriodic(long delay, Handler<Long> handler) {
        throw LocalVertx.unsupported("setPeriodic of a context", "use that of Vertx");
    }

    @Override
    public Timer timer(long delay, TimeUnit unit) {
        throw LocalVertx.unsupported("a Timer", "use setTimer");
    }

    // What belongs to it.

    @Override
    public void addCloseHook(Closeable hook) {
        closeHooks.add(hook);
    }

    @Override
    public void removeCloseHook(Closeable hook) {
        closeHooks.removeIf(h -> h == hook);
    }

    void runCloseHooks() {
        for (Closeable hook : List.copyOf(closeHooks)) {
            hook.close(Promise.promise());
        }
        closeHooks.clear();
    }

    @Override
    public LocalVertx owner() {
        return verticle.vertx();
    }

    @Override
    public boolean isDeployment() {
        return true;
    }

    @Override
    public String deploymentID() {
        return verticle.deploymentID();
    }

    @Override
    public int getInstanceCount() {
        return instances;
    }

    @Override
    public JsonObject config() {
        return config;
    }

    @Override
    public ThreadingModel threadingModel() {
        return threading;
    }

    @Override
    public boolean isEventLoopContext() {
        return threading == ThreadingModel.EVENT_LOOP;
    }

    @Override
    public boolean isWorkerContext() {
        return threading == ThreadingModel.WORKER;
    }

    @Override
    public ConcurrentMap<Object, Object> contextData() {
        return data;
    }

    @Override
    public VertxTracer<?, ?> tracer() {
        return null;
    }

    /** The same: what tells duplicates apart is their local data, of which there is none. */
    @Override
    public LocalContext duplicate(boolean keepsData) {
        return this;
    }

    // What is not there.

    @Override
    public <T> T getLocal(ContextLocal<T> key, AccessMode mode) {
        throw LocalVertx.unsupported("local data of contexts");
    }

    @Override
    public <T> T getLocal(ContextLocal<T> key, AccessMode mode, Supplier<? extends T> initial) {
        throw LocalVertx.unsupported("local data of contexts");
    }

    @Override
    public <T> void putLocal(ContextLocal<T> key, AccessMode mode, T value) {
        throw LocalVertx.unsupported("local data of contexts");
    }

    @Override
    public EventLoop nettyEventLoop() {
        throw LocalVertx.unsupported("Netty's event loop");
    }

    @Override
    public WorkerPool workerPool() {
        throw LocalVertx.unsupported("a pool of workers");
    }

    @Override
    public DeploymentContext deployment() {
        throw LocalVertx.unsupported("the context of a deployment");
    }

    @Override
    public ClassLoader classLoader() {
        throw LocalVertx.unsupported("the class loader of a context");
    }

    @Override
    public CloseFuture closeFuture() {
        throw LocalVertx.unsupported("closeFuture()");
    }

    @Override
    public Future<Void> close() {
        throw LocalVertx.unsupported("close() of a context", "undeploy the verticle");
    }

    @Override
    public ContextBuilder toBuilder() {
        throw LocalVertx.unsupported("toBuilder()");
    }
}

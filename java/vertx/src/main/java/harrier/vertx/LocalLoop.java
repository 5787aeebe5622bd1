package harrier.vertx;

import io.netty.channel.AbstractEventLoop;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelPromise;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** A verticle's event loop, as far as the library's consumers need one: what they find to be one thread has a simpler queue. */
final class LocalLoop extends AbstractEventLoop {
    private final LocalContext context;

    LocalLoop(LocalContext context) {
        super(null);
        this.context = context;
    }

    @Override
    public void execute(Runnable task) {
        context.enqueue(task);
    }

    @Override
    public boolean inEventLoop() {
        return true;
    }

    @Override
    public boolean inEventLoop(Thread thread) {
        return true;
    }

    @Override
    public boolean isShuttingDown() {
        return false;
    }

    @Override
    public boolean isShutdown() {
        return false;
    }

    @Override
    public boolean isTerminated() {
        return false;
    }

    private static AssertionError unsupported() {
        return LocalVertx.unsupported("Netty's event loop");
    }

    @Override
    public ChannelFuture register(Channel channel) {
        throw unsupported();
    }

    @Override
    public ChannelFuture register(ChannelPromise promise) {
        throw unsupported();
    }

    @Override
    @Deprecated
    public ChannelFuture register(Channel channel, ChannelPromise promise) {
        throw unsupported();
    }

    @Override
    public Future<?> shutdownGracefully(long quiet, long timeout, TimeUnit unit) {
        throw unsupported();
    }

    @Override
    public Future<?> terminationFuture() {
        throw unsupported();
    }

    @Override
    @Deprecated
    public void shutdown() {
        throw unsupported();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        throw unsupported();
    }
}

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Collects items and passes them on in batches: when there are enough of them, or some time after the first.
 * Written for an event loop; it knows nothing of harrier.
 */
public class Batcher<T> {
    private final ScheduledExecutorService loop;
    private final int size;
    private final Consumer<List<T>> sink;
    private List<T> batch = new ArrayList<>();
    private ScheduledFuture<?> timeout;

    public Batcher(ScheduledExecutorService loop, int size, Consumer<List<T>> sink) {
        this.loop = loop;
        this.size = size;
        this.sink = sink;
    }

    public void add(T item) {
        batch.add(item);
        if (batch.size() == size) {
            loop.execute(this::flush);
        } else if (timeout == null) {
            timeout = loop.schedule(this::flush, 50, TimeUnit.MILLISECONDS);
        }
    }

    private void flush() {
        if (timeout != null) {
            timeout.cancel(false);
            timeout = null;
        }
        if (!batch.isEmpty()) {
            List<T> full = batch;
            batch = new ArrayList<>();
            sink.accept(full);
        }
    }
}

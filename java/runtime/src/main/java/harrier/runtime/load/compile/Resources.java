package harrier.runtime.load.compile;

import harrier.runtime.origin.Origin;
import harrier.runtime.rules.Guard;
import java.io.ByteArrayInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * What a program finds beside classes where its classes are. It can be read only, and is read once: whoever asks later
 * gets the same bytes. Programs see it under addresses that do not depend on the machine:
 * the path is a number, for there may be several of a name, and the name.
 */
public final class Resources {
    private final Function<String, List<byte[]>> source;
    /** The names asked for, also of missing files. */
    private final Map<String, List<byte[]>> read = new ConcurrentHashMap<>();

    /** Those that a function gives, of one name in the order of the class path. */
    Resources(Function<String, List<byte[]>> source) {
        this.source = source;
    }

    /** Those that were read in another execution, as {@link #read} gives them. */
    static Resources given(Map<String, byte[]> read) {
        return new Resources(name -> {
            List<byte[]> found = new ArrayList<>();
            for (byte[] next; (next = read.get(found.size() + "/" + name)) != null;) {
                found.add(next);
            }
            return found;
        });
    }

    /** The files read so far, each by its number among those of the same name, a slash and the name. */
    public Map<String, byte[]> read() {
        Map<String, byte[]> all = new TreeMap<>();
        read.forEach((name, found) -> {
            for (int i = 0; i < found.size(); i++) {
                all.put(i + "/" + name, found.get(i));
            }
        });
        return all;
    }

    /** All that was asked for, by name; there may be none. */
    public Map<String, List<byte[]>> asked() {
        return new TreeMap<>(read);
    }

    /** The addresses of those of one name. */
    public List<URL> find(String name) {
        List<URL> urls = new ArrayList<>();
        for (int i = 0; i < contents(name).size(); i++) {
            try {
                urls.add(new URL(Origin.RESOURCES, "", -1, "/" + i + "/" + name, new Handler()));
            } catch (MalformedURLException e) {
                throw new IllegalArgumentException(e);
            }
        }
        return urls;
    }

    private List<byte[]> contents(String name) {
        return read.computeIfAbsent(name, n -> {
            Guard.here().readsResource();
            return source.apply(n);
        });
    }

    private final class Handler extends URLStreamHandler {
        @Override
        protected URLConnection openConnection(URL url) {
            return new Connection(url);
        }
    }

    private final class Connection extends URLConnection {
        private byte[] content;

        Connection(URL url) {
            super(url);
        }

        @Override
        public void connect() throws IOException {
            String[] parts = url.getPath().split("/", 3); // nothing, the number and the name
            List<byte[]> found = parts.length < 3 ? List.of() : contents(parts[2]);
            int number = parts.length < 3 ? 0 : Integer.parseInt(parts[1]);
            if (number >= found.size()) {
                throw new FileNotFoundException(url.toString());
            }
            content = found.get(number);
            connected = true;
        }

        @Override
        public long getContentLengthLong() {
            try {
                connect();
                return content.length;
            } catch (IOException e) {
                return -1;
            }
        }

        @Override
        public InputStream getInputStream() throws IOException {
            connect();
            return new ByteArrayInputStream(content.clone()); // a stream hands its array to whoever it is transferred to
        }
    }
}

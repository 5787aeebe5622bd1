package harrier.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the JSON documents that harrier writes. Numbers are kept as text. */
public final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /** The object that a text is; where the text is from is for errors. */
    public static Map<String, Object> object(String text, String from) {
        try {
            var json = new Json(text);
            json.space();
            return json.object();
        } catch (StringIndexOutOfBoundsException | IllegalArgumentException e) {
            throw new IllegalStateException(from + " is no JSON document of harrier's", e);
        }
    }

    private Object value() {
        switch (text.charAt(at)) {
            case '{': return object();
            case '[': return list();
            case '"': return string();
            default:
                int begin = at;
                while (",]} \n\r\t".indexOf(text.charAt(at)) < 0) {
                    at++;
                }
                String word = text.substring(begin, at);
                return word.equals("null") ? null : word;
        }
    }

    private Map<String, Object> object() {
        var object = new LinkedHashMap<String, Object>();
        take('{');
        while (text.charAt(at) != '}') {
            String key = string();
            space();
            take(':');
            object.put(key, value());
            next('}');
        }
        at++;
        return object;
    }

    private List<Object> list() {
        var list = new ArrayList<Object>();
        take('[');
        while (text.charAt(at) != ']') {
            list.add(value());
            next(']');
        }
        at++;
        return list;
    }

    /** Goes to the next element, or to the end. */
    private void next(char end) {
        space();
        if (text.charAt(at) != end) {
            take(',');
        }
    }

    private String string() {
        var out = new StringBuilder();
        at++;
        for (; text.charAt(at) != '"'; at++) {
            char c = text.charAt(at);
            if (c != '\\') {
                out.append(c);
                continue;
            }
            c = text.charAt(++at);
            if (c == 'u') {
                out.append((char) Integer.parseInt(text.substring(at + 1, at + 5), 16));
                at += 4;
            } else {
                int i = "nrtbf".indexOf(c);
                out.append(i < 0 ? c : "\n\r\t\b\f".charAt(i));
            }
        }
        at++;
        return out.toString();
    }

    private void take(char c) {
        if (text.charAt(at) != c) {
            throw new IllegalArgumentException("there is no " + c + " at " + at);
        }
        at++;
        space();
    }

    private void space() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }
}

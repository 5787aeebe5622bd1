package kv;

import kv.Command.Get;
import kv.Command.Put;

/** What a store does, as the specification of linearizable operations: the value of a key. */
final class Entry {
    private Integer value;

    Integer apply(Get get) {
        return value;
    }

    Integer apply(Put put) {
        Integer before = value;
        value = put.value();
        return before;
    }

    static String key(Command command) {
        return command.key();
    }
}

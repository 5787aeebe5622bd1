package zab;

import java.util.List;

/** What is broadcast: a change of the replicated state under the identifier its leader gave it. */
record Transaction(Zxid zxid, String change) {
    /** The identifier of the last transaction of a history. */
    static Zxid last(List<Transaction> history) {
        return history.isEmpty() ? Zxid.NONE : history.get(history.size() - 1).zxid();
    }

    @Override
    public String toString() {
        return zxid + ":" + change;
    }
}

class TableLinked extends Attack {
    @Override
    void attack() {
        Linked.link(); // refused: class TableLinked$Linked refers to harrier.PropertyAnnotation, which is harrier's own
    }

    static final class Linked {
        static void link() {
            harrier.PropertyAnnotation.Holds.values();
        }
    }
}

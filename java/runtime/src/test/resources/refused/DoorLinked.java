class DoorLinked extends Attack {
    @Override
    void attack() {
        Linked.link(); // refused: class DoorLinked$Linked refers to harrier.Hosting, which is harrier's own
    }

    static final class Linked {
        static void link() {
            harrier.Hosting.name("other");
        }
    }
}

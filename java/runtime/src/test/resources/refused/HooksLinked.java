class HooksLinked extends Attack {
    @Override
    void attack() {
        Linked.link(); // refused: class HooksLinked$Linked refers to harrier.host.Hooks, which is harrier's own
    }

    static final class Linked {
        static void link() {
            harrier.host.Hooks.bound();
        }
    }
}

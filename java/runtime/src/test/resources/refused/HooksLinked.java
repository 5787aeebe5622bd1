class HooksLinked extends Attack {
    @Override
    void attack() {
        // refused: class HooksLinked$Linked refers to harrier.host.Hooks, which is harrier's own
        Linked.link();
    }

    static final class Linked {
        static void link() {
            harrier.host.Hooks.bound();
        }
    }
}

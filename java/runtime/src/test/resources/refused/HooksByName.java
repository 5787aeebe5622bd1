class HooksByName extends Attack {
    @Override
    void attack() throws Throwable {
        // refused: calls Method.invoke for Hooks.bound
        Class.forName("harrier.host.Hooks").getMethod("bound").invoke(null);
    }
}

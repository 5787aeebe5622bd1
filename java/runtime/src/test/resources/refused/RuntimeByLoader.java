class RuntimeByLoader extends Attack {
    @Override
    void attack() throws Throwable {
        Class<?> guard = getClass().getClassLoader().getClass().getClassLoader().loadClass("harrier.runtime.rules.Guard");
        // refused: calls Method.invoke for Guard.takeRefusal
        guard.getMethod("takeRefusal").invoke(null);
    }
}

class ReflectedExit extends Attack {
    @Override
    void attack() throws Throwable {
        // refused: calls Method.invoke for System.exit
        System.class.getMethod("exit", int.class).invoke(null, 0);
    }
}

class ReflectedField extends Attack {
    @Override
    void attack() throws Throwable {
        // refused: calls Field.get for System.in
        System.class.getField("in").get(null);
    }
}

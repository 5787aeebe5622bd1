class HostingByName extends Attack {
    @Override
    void attack() throws Throwable {
        Object access = Class.forName("harrier.host.Hosting")
            // refused: calls Method.invoke for Hosting.access
            .getMethod("access").invoke(null);
    }
}

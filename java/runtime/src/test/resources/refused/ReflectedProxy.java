import java.lang.reflect.*;

class ReflectedProxy extends Attack {
    @Override
    void attack() throws Throwable {
        Method make = Proxy.class.getMethod("newProxyInstance", ClassLoader.class, Class[].class, InvocationHandler.class);
        InvocationHandler handler = (proxy, method, arguments) -> null;
        // refused: calls Method.invoke for Proxy.newProxyInstance
        make.invoke(null, getClass().getClassLoader(), new Class<?>[] {Runnable.class}, handler);
    }
}

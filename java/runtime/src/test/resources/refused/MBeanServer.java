import javax.management.*;

class MBeanServer extends Attack {
    @Override
    void attack() throws Throwable {
        // refused: calls MBeanServerFactory.createMBeanServer; --allow jdk=javax.management
        MBeanServerFactory.createMBeanServer();
    }
}

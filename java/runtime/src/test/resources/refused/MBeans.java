import java.lang.management.*;

class MBeans extends Attack {
    @Override
    void attack() throws Throwable {
        // refused: calls ManagementFactory.getPlatformMBeanServer; --allow jdk=java.lang.management
        ManagementFactory.getPlatformMBeanServer();
    }
}

import java.lang.constant.*;
import java.lang.invoke.*;

class Descriptors extends Attack {
    @Override
    void attack() throws Throwable {
        ClassDesc system = ClassDesc.of("java.lang.System");
        MethodHandleDesc exit = MethodHandleDesc.ofMethod(DirectMethodHandleDesc.Kind.STATIC, system, "exit",
            MethodTypeDesc.ofDescriptor("(I)V"));
        // refused: calls ConstantDesc.resolveConstantDesc
        ((MethodHandle) exit.resolveConstantDesc(MethodHandles.lookup())).invoke(0);
    }
}

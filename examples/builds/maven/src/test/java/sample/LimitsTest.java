package sample;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harrier.junit.Harrier;
import org.junit.jupiter.api.Test;

/** A check that ends at a limit, and one that cannot be done. */
class LimitsTest {
    @Test
    void inconclusiveFailsUnlessAllowed() {
        var error = assertThrows(AssertionError.class, () -> Harrier.check(Lock.class).options("--max-states", "1").assertVerified());
        assertTrue(error.getMessage().matches("Lock is inconclusive: .*; states 1, transitions \\d+, seconds \\d+\\.\\d+; allowInconclusive lets it pass"),
            error.getMessage());
        var verdict = Harrier.check(Lock.class).options("--max-states", "1").allowInconclusive().assertVerified();
        assertEquals("inconclusive", verdict.verdict());
    }

    @Test
    void wrongUseIsNoFailedAssertion() {
        var error = assertThrows(IllegalStateException.class, () -> Harrier.check(Lock.class).set("servers", 2).run());
        assertTrue(error.getMessage().startsWith("harrier ended with exit code 2: harrier: "), error.getMessage());
    }
}

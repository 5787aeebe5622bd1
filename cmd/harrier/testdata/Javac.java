import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Scanner;
import java.util.spi.ToolProvider;

/**
 * Compiles for one script after the other: javac takes a tenth of the time once it is warm. Each line of the input has the arguments of
 * one compilation, with tabs in between. Each answer is an exit code, what javac prints, and a byte 0.
 */
class Javac {
    public static void main(String[] none) {
        ToolProvider javac = ToolProvider.findFirst("javac").orElseThrow();
        PrintStream answers = System.out;
        for (Scanner lines = new Scanner(System.in); lines.hasNextLine();) {
            StringWriter said = new StringWriter();
            PrintWriter to = new PrintWriter(said);
            int code = javac.run(to, to, lines.nextLine().split("\t"));
            answers.print(code + "\n" + said + "\0");
            answers.flush();
        }
    }
}

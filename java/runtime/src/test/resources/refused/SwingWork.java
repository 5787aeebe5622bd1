import javax.swing.*;

class SwingWork extends Attack {
    @Override
    void attack() throws Throwable {
        new Work().execute();
    }

    static final class Work extends SwingWorker<Integer, Integer> {
        Work() {
            super(); // refused: Work.the constructor calls new SwingWorker; --allow jdk=javax.swing
        }

        @Override
        protected Integer doInBackground() {
            return 1;
        }
    }
}

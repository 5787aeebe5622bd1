package bridge

import "net"

// Hostile gives the tests' virtual machine over a connection, with answers that change changes.
func Hostile(change func(answer []byte) []byte) (*JVM, func()) {
	here, there := net.Pipe()
	s := newServer(there, changed{jvm.asker, change})
	go func() {
		if s.begin() == nil {
			s.answer()
		}
	}()
	j, err := Connect(here, Options{})
	if err != nil {
		panic(err)
	}
	return j, func() { here.Close(); there.Close() }
}

type changed struct {
	asker
	change func(answer []byte) []byte
}

// workerNumbers keep the workers of Hostile apart from others'.
const workerNumbers = 5000

func (c changed) call(w *worker, operation int, question []byte) ([]byte, error) {
	own := worker{number: w.number + workerNumbers, out: w.out}
	answer, err := c.asker.call(&own, operation, question)
	w.out = own.out
	if operation == opWhere || err != nil {
		return answer, err
	}
	return c.change(answer), nil
}

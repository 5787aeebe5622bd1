package live

import (
	"encoding/binary"
	"errors"
	"fmt"

	"harrier/internal/model"
	"harrier/serializer"
)

// A datagram carries a message. Its bytes are a mark, the numbers as varints, the names behind their lengths, and the payload
// in structured bytes.
type datagram struct {
	number  uint64 // of the sender's last checkpoint
	ordinal uint64 // of the message, among those of its sender
	model.Message
}

const (
	mark      = "harrier1"
	mostBytes = 60_000 // fewer than a datagram holds
	mostName  = 1_000
)

func (d datagram) write() ([]byte, error) {
	b := binary.AppendUvarint(binary.AppendUvarint([]byte(mark), d.number), d.ordinal)
	for _, name := range []string{d.Sender, d.Receiver} {
		b = append(binary.AppendUvarint(b, uint64(len(name))), name...)
	}
	b = append(b, d.Payload...)
	if len(b) > mostBytes {
		return nil, fmt.Errorf("a message from %s to %s has %d bytes, and a datagram at most %d: it is lost", d.Sender,
			d.Receiver, len(b), mostBytes)
	}
	return b, nil
}

var errDatagram = errors.New("it is no datagram of harrier's")

// readDatagram reads a datagram that may come from anywhere. It checks the form of the payload; Java finds out its class.
func readDatagram(b []byte) (d datagram, err error) {
	if len(b) < len(mark) || string(b[:len(mark)]) != mark || len(b) > mostBytes {
		return d, errDatagram
	}
	b = b[len(mark):]
	number := func() (n uint64) {
		n, size := binary.Uvarint(b)
		if size <= 0 {
			err, size = errDatagram, 0
		}
		b = b[size:]
		return n
	}
	name := func() string {
		n := number()
		if n > mostName || n > uint64(len(b)) {
			err = errDatagram
			return ""
		}
		text := string(b[:n])
		b = b[n:]
		return text
	}
	d.number, d.ordinal = number(), number()
	d.Sender, d.Receiver = name(), name()
	d.Payload = b
	if err == nil {
		_, err = serializer.Decode(b)
	}
	return d, err
}

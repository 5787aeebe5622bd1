// Package frames carries messages between two processes over a connection. Each message is sent after its length, a number of 4 bytes,
// big endian.
package frames

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"sync"
)

// A Conn is one end of a connection.
type Conn struct {
	sending sync.Mutex
	to      io.Writer
	from    *bufio.Reader
}

// New sends and receives over conn, of which nobody else may read.
func New(conn io.ReadWriter) *Conn { return &Conn{to: conn, from: bufio.NewReaderSize(conn, 1<<16)} }

// Send sends one message that consists of parts, of less than 2 GiB in all. Several goroutines may call it at once.
func (c *Conn) Send(parts ...[]byte) error {
	size := 0
	for _, p := range parts {
		size += len(p)
	}
	message := binary.BigEndian.AppendUint32(make([]byte, 0, 4+size), uint32(size))
	for _, p := range parts {
		message = append(message, p...)
	}
	c.sending.Lock()
	defer c.sending.Unlock()
	_, err := c.to.Write(message)
	return err
}

// Receive waits for the next message. One goroutine at a time may call it. The length that the other end announces takes no memory
// before as many bytes have come. The error is io.EOF if the connection ends between two messages.
func (c *Conn) Receive() ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(c.from, head[:]); err != nil {
		return nil, err
	}
	size := binary.BigEndian.Uint32(head[:])
	if size > math.MaxInt32 {
		return nil, fmt.Errorf("a message of %d bytes is announced", size)
	}
	var message bytes.Buffer
	if _, err := io.CopyN(&message, c.from, int64(size)); err != nil {
		return nil, io.ErrUnexpectedEOF
	}
	return message.Bytes(), nil
}

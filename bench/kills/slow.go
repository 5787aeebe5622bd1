package main

import (
	"io"
	"math/rand/v2"
	"net"
	"time"
)

// A slow network takes delay for what is sent, and resent more for one of a hundred pieces: TCP hides a loss as such a delay.
const (
	delay  = 5 * time.Millisecond
	resent = 200 * time.Millisecond // what Linux waits for at least before it sends again
)

// slowly passes on connections to an address slowly, from the listener's, until that is closed.
func slowly(l net.Listener, to string) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			defer conn.Close()
			other, err := net.Dial("tcp", to)
			if err != nil {
				return // the server is away: whoever connects tries again
			}
			defer other.Close()
			ended := make(chan struct{}, 2)
			for _, way := range [][2]net.Conn{{conn, other}, {other, conn}} {
				go func() { trickle(way[0], way[1]); ended <- struct{}{} }()
			}
			<-ended
		}()
	}
}

// A parcel is a piece of what is sent, with when it arrives.
type parcel struct {
	bytes []byte
	at    time.Time
}

// trickle passes on what comes from one end to the other one, in order, until one of them is closed.
func trickle(from io.Reader, to io.Writer) {
	under := make(chan parcel, 1<<10)
	defer close(under)
	go func() {
		for p := range under {
			time.Sleep(time.Until(p.at))
			_, _ = to.Write(p.bytes) // after an error, its reader ends as well
		}
	}()
	for {
		b := make([]byte, 1<<14)
		n, err := from.Read(b)
		if err != nil {
			return
		}
		at := time.Now().Add(delay)
		if rand.IntN(100) == 0 {
			at = at.Add(resent)
		}
		under <- parcel{b[:n], at}
	}
}

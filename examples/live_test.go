package examples

import (
	"context"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"harrier/internal/live"
	"harrier/internal/testkit/must"
	"harrier/serializer"
)

// TestHostileMessagesAreRefused sends to actors that run what their program cannot have sent. None of it is run, and they go on.
func TestHostileMessagesAreRefused(t *testing.T) {
	record := func(class string, fields ...serializer.Field) serializer.Value {
		return serializer.Value{Kind: serializer.Record, ClassName: class, Fields: fields}
	}
	ballot := func(v serializer.Value) serializer.Field { return serializer.Field{Name: "ballot", Value: v} }
	object := serializer.Value{Kind: serializer.Object, ClassName: "java.util.concurrent.atomic.AtomicInteger"}
	number := serializer.Value{Kind: serializer.Int, Int: 9}
	bad := []serializer.Value{
		{Kind: serializer.Object, ClassName: "java.lang.Runtime"},
		{Kind: serializer.Object, ClassName: "java.lang.ProcessBuilder"},
		{Kind: serializer.Object, ClassName: "harrier.runtime.Bridge"},
		{Kind: serializer.Object, ClassName: "paxosnode.NoSuchClass"},
		{Kind: serializer.Enum, ClassName: "java.lang.Thread$State", Text: "NEW"},
		{Kind: serializer.Record, ClassName: "java.lang.Class", Fields: []serializer.Field{{Name: "name", Value: serializer.Value{Kind: serializer.String, Text: "java.lang.System"}}}},
		{Kind: serializer.String, Text: "no handler takes this"},
		record("paxosnode.Messages$Prepare"),
		record("paxosnode.Messages$Prepare", ballot(serializer.Value{Kind: serializer.String, Text: "5"})),
		record("paxosnode.Messages$Prepare", ballot(object)),
		record("paxosnode.Messages$Accept", serializer.Field{Name: "proposal", Value: object}),
		record("paxosnode.Messages$Accept", serializer.Field{Name: "proposal", Value: record("paxosnode.Messages$Prepare", ballot(number))}),
		record("paxosnode.PaxosNode"),
	}
	p := load(t, "paxos-node", "-")
	var told []string
	process, err := live.NewProcess(p, []string{"node1", "node2", "node3"}, func(live.Frame) error { return nil },
		live.Options{Tell: func(line string) { told = append(told, line) }})
	if err != nil {
		t.Fatal(err)
	}
	frames := make(chan live.Frame)
	go func() {
		defer close(frames)
		for i, v := range append(bad, record("paxosnode.Messages$Prepare", ballot(number))) {
			frames <- live.Frame{From: "node1", To: "node3", Datagram: datagram(i+1, "node1", "node3", serializer.Encode(v))}
		}
		frames <- live.Frame{From: "node1", To: "node3"} // the last one is taken in, and those before it were looked at
		frames <- live.Frame{From: "node1", To: "node3"}
	}()
	must.Do(process.Run(context.Background(), frames))
	if process.Refused != len(bad)+2 || process.Failed != 0 {
		t.Errorf("%d of %d refused, %d handlers failed:\n%s", process.Refused, len(bad)+2, process.Failed, strings.Join(told, "\n"))
	}
	t.Log(strings.Join(told, "\n"))
}

// datagram is one as processes send it.
func datagram(ordinal int, sender, receiver string, payload []byte) []byte {
	b := binary.AppendUvarint(append([]byte("harrier1"), 0), uint64(ordinal))
	for _, name := range []string{sender, receiver} {
		b = append(binary.AppendUvarint(b, uint64(len(name))), name...)
	}
	return slices.Concat(b, payload)
}

package serializer

import "testing"

// acceptor is a local state as the examples have them: an actor with a few numbers, a map
// from names to records, a set of names and a list of records.
func acceptor(b *testing.B) []byte {
	return bytesOf(b, `20 "acceptor1" 00 "examples.Paxos$Acceptor" 06
		"promised" 05 06 "accepted" 05 04 "log" 05 08
		"votes" 16 "java.util.HashMap" 00 03
			0c "acceptor1" 10 "examples.Paxos$Vote" 02 "ballot" 05 02 "value" 05 54
			0c "acceptor2" 10 "examples.Paxos$Vote" 02 "ballot" 05 04 "value" 05 54
			0c "acceptor3" 10 "examples.Paxos$Vote" 02 "ballot" 05 06 "value" 05 56
		"seen" 15 "java.util.HashSet" 00 03 0c "proposer1" 0c "proposer2" 0c "proposer3"
		"history" 14 "java.util.ArrayList" 00 04
			10 "examples.Paxos$Prepare" 02 "ballot" 05 02 "from" 0c "proposer1"
			10 "examples.Paxos$Prepare" 02 "ballot" 05 04 "from" 0c "proposer2"
			10 "examples.Paxos$Prepare" 02 "ballot" 05 04 "from" 0c "proposer2"
			10 "examples.Paxos$Prepare" 02 "ballot" 05 06 "from" 0c "proposer1"`)
}

func BenchmarkProject(b *testing.B) {
	in := acceptor(b)
	for _, c := range []struct {
		name string
		out  []FieldName
	}{
		{"AField", []FieldName{{"examples.Paxos$Acceptor", "log"}}},
		{"FieldsOfKeptRecords", []FieldName{{"examples.Paxos$Vote", "ballot"}, {"examples.Paxos$Prepare", "from"}}},
		{"NotOfThisClass", []FieldName{{"examples.Paxos$Proposer", "log"}, {"examples.Paxos$Learner", "log"}}},
	} {
		b.Run(c.name, func(b *testing.B) {
			p := NewProjection(c.out)
			b.SetBytes(int64(len(in)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := p.Project(in); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("DecodeAlone", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Decode(in); err != nil {
				b.Fatal(err)
			}
		}
	})
}

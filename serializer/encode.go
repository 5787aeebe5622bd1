package serializer

// Encode gives the bytes of a tree: those from which Decode made it. It writes what the
// tree holds and checks nothing; from a tree that breaks the format's rules (an unsorted
// set, say, or a Ref to no value) it makes bytes that Decode need not accept.
func Encode(v Value) []byte {
	return appendValue(nil, &v)
}

func appendValue(b []byte, v *Value) []byte {
	b = appendStart(b, v)
	switch v.Kind {
	case Ref:
		return appendVarint(b, uint64(v.Number))
	case Optional:
		if len(v.Elements) == 0 {
			return append(b, byte(Null))
		}
		return appendValue(b, &v.Elements[0])
	case Record, Object, Actor:
		return appendFields(b, v)
	case Array, ImmutableList, NullableList, ImmutableSet:
		return appendElements(b, v)
	case List, Set:
		return appendElements(appendParameter(b, v), v)
	case Map, OrderedMap:
		return appendEntries(appendParameter(b, v), v)
	case ImmutableMap:
		return appendEntries(b, v)
	}
	return b
}

// appendStart writes what comes before the values inside v. That is all of v if its kind
// holds none, but for a Ref's number.
func appendStart(b []byte, v *Value) []byte {
	b = append(b, byte(v.Kind))
	switch v.Kind {
	case Byte, Short, Int, Long:
		return appendZigzag(b, v.Int)
	case Char:
		return appendVarint(b, uint64(v.Int))
	case Float:
		return appendBigEndian(b, v.Int, 4)
	case Double:
		return appendBigEndian(b, v.Int, 8)
	case String, Name, Bytes:
		return appendText(b, v.Text)
	case CodeUnits:
		return append(appendVarint(b, uint64(len(v.Text)/2)), v.Text...)
	case Enum:
		return appendText(appendText(b, v.ClassName), v.Text)
	case Actor:
		b = appendVarint(appendText(b, v.Text), uint64(v.Int))
		return appendText(b, v.ClassName)
	case Record, Object, Array, List, Set, Map, OrderedMap:
		return appendText(b, v.ClassName)
	}
	return b
}

func appendParameter(b []byte, v *Value) []byte {
	if v.Parameter == nil {
		return append(b, byte(Null))
	}
	return appendValue(b, v.Parameter)
}

func appendFields(b []byte, v *Value) []byte {
	b = appendVarint(b, uint64(len(v.Fields)))
	for i := range v.Fields {
		b = appendValue(appendText(b, v.Fields[i].Name), &v.Fields[i].Value)
	}
	return b
}

func appendElements(b []byte, v *Value) []byte {
	b = appendVarint(b, uint64(len(v.Elements)))
	for i := range v.Elements {
		b = appendValue(b, &v.Elements[i])
	}
	return b
}

func appendEntries(b []byte, v *Value) []byte {
	b = appendVarint(b, uint64(len(v.Entries)))
	for i := range v.Entries {
		b = appendValue(appendValue(b, &v.Entries[i].Key), &v.Entries[i].Value)
	}
	return b
}

package serializer

// Encode gives the bytes of a tree: those from which Decode made it. It writes what the
// tree holds and checks nothing; from a tree that breaks the format's rules (an unsorted
// set, say, or a Ref to no value) it makes bytes that Decode need not accept.
func Encode(v Value) []byte {
	return appendValue(nil, &v)
}

func appendValue(b []byte, v *Value) []byte {
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
	case Ref:
		return appendVarint(b, uint64(v.Number))
	}
	return appendCompound(b, v)
}

func appendCompound(b []byte, v *Value) []byte {
	switch v.Kind {
	case Optional:
		if len(v.Elements) == 0 {
			return append(b, byte(Null))
		}
		return appendValue(b, &v.Elements[0])
	case Actor:
		b = appendText(b, v.Text)
		b = appendVarint(b, uint64(v.Int))
		return appendFields(appendText(b, v.ClassName), v)
	case Record, Object:
		return appendFields(appendText(b, v.ClassName), v)
	case Array:
		return appendElements(appendText(b, v.ClassName), v)
	case List, Set:
		return appendElements(appendHead(b, v), v)
	case Map, OrderedMap:
		return appendEntries(appendHead(b, v), v)
	case ImmutableList, NullableList, ImmutableSet:
		return appendElements(b, v)
	case ImmutableMap:
		return appendEntries(b, v)
	}
	return b // null, false, true
}

func appendHead(b []byte, v *Value) []byte {
	b = appendText(b, v.ClassName)
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

package serializer

// pending is the moment in which an operation ended that has not.
const pending = -1

// PendingOperations are the actors with an operation in a history that has not returned, but for those that never will, as the actor
// crashed. Bytes that are no history have none.
func PendingOperations(history []byte) (actors []string) {
	v, err := Decode(history)
	if err != nil || v.ClassName != historyClass {
		return nil
	}
	if operations := v.field(operationsName); operations != nil {
		for _, o := range operations.Elements {
			if o.number("returnedAt") == pending {
				actors = append(actors, o.name("actor"))
			}
		}
	}
	return actors
}

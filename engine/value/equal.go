package value

// Identical reports whether a and b are the same value in memory (containers) or the same scalar,
// as written. It never descends, so it costs nothing; false does not mean that they differ.
func Identical(a, b Value) bool {
	switch a := a.(type) {
	case nil:
		return b == nil
	case *Array:
		b, ok := b.(*Array)
		return ok && (a == b || (len(a.items) == len(b.items) && (len(a.items) == 0 || &a.items[0] == &b.items[0])))
	case *Object:
		b, ok := b.(*Object)
		return ok && (a == b || (len(a.members) == len(b.members) && (len(a.members) == 0 || &a.members[0] == &b.members[0])))
	default:
		return a == b
	}
}

// Equal reports whether a and b are equal as JSON: numbers by value (1 equals 1.0), objects without
// regard to the order of their members. Two absent values are equal.
func Equal(a, b Value) bool {
	if Identical(a, b) {
		return true
	}
	switch a := a.(type) {
	case Number:
		b, ok := b.(Number)
		return ok && a.Compare(b) == 0
	case *Array:
		b, ok := b.(*Array)
		if !ok || len(a.items) != len(b.items) {
			return false
		}
		for i := range a.items {
			if !Equal(a.items[i], b.items[i]) {
				return false
			}
		}
		return true
	case *Object:
		b, ok := b.(*Object)
		return ok && equalObjects(a, b)
	}
	return false
}

func equalObjects(a, b *Object) bool {
	if len(a.members) != len(b.members) {
		return false
	}
	for i := range a.members {
		key := a.members[i].Key
		var other Value
		if b.members[i].Key == key { // the usual case: the same order
			other = b.members[i].Value
		} else if other = b.Get(key); other == nil {
			return false
		}
		if !Equal(a.members[i].Value, other) {
			return false
		}
	}
	return true
}

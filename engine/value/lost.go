package value

// Lost names the members of before that after does not have, in the order of before: "customer", or "order.total" for a
// member of an object that both have. At most limit names are returned; more counts the others. Items of arrays are
// not named.
func Lost(before, after Value, limit int) (names []string, more int) {
	l := lost{limit: limit}
	l.compare("", before, after)
	return l.names, l.more
}

type lost struct {
	names []string
	limit int
	more  int
}

func (l *lost) compare(prefix string, before, after Value) {
	b, ok := before.(*Object)
	if !ok || Identical(before, after) {
		return
	}
	a, _ := after.(*Object)
	for key, was := range b.All() {
		var is Value
		if a != nil {
			is = a.Get(key)
		}
		switch {
		case is != nil:
			if _, object := is.(*Object); object {
				l.compare(prefix+key+".", was, is)
			}
		case len(l.names) < l.limit:
			l.names = append(l.names, prefix+key)
		default:
			l.more++
		}
	}
}

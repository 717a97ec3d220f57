package recorder

import (
	"fmt"
	"slices"
	"strings"

	"asldb/engine/path"
	"asldb/engine/value"
)

// Redacted is in a trace in place of a secret.
const Redacted = "[redacted]"

// minSecret is the length in bytes from which a secret is looked for in every text. Shorter ones are replaced only
// where the path leads to them: looked for everywhere, a "1" would leave nothing readable.
const minSecret = 4

// Redaction is a path whose values are kept out of a trace.
type Redaction struct {
	path *path.Path
}

// RedactionError is about a path that cannot name values to leave out of a trace.
type RedactionError struct {
	Path string
	Msg  string
	Err  error // of engine/path, or nil
}

// Error implements error.
func (e *RedactionError) Error() string { return fmt.Sprintf("the path %q %s", clip(e.Path), e.Msg) }

// Unwrap returns Err.
func (e *RedactionError) Unwrap() error { return e.Err }

// ParseRedaction reads a path of names, indexes, wildcards and "..", such as $..password: it is applied to
// every value of a trace, each is its $. The error is a *[RedactionError].
func ParseRedaction(text string) (*Redaction, error) {
	parsed, err := path.Parse(text)
	if err != nil {
		return nil, &RedactionError{Path: text, Msg: "is not a path: " + err.Error(), Err: err}
	}
	if parsed.Root() != path.DataRoot {
		return nil, &RedactionError{Path: text, Msg: "begins with a variable or the context object; $.. and a name finds it wherever it is"}
	}
	for i := range parsed.Len() {
		switch parsed.Segment(i).Kind {
		case path.NameSegment, path.IndexSegment, path.WildcardSegment, path.DescentSegment:
		default:
			return nil, &RedactionError{Path: text, Msg: "has a filter, a slice or a list of names; names, indexes, * and .. say what is to be kept out"}
		}
	}
	return &Redaction{parsed}, nil
}

// String returns the path as it was written.
func (r *Redaction) String() string { return r.path.String() }

// place is how far a path has been followed.
type place struct {
	path *path.Path
	at   int
}

// redactor replaces secrets. What a path has led to is a secret from then on, and is replaced wherever it
// comes up again: under another name, inside a text, in the cause of an error.
type redactor struct {
	roots   []place
	secrets secrets
	objects recent[*value.Object, value.Value]
	arrays  recent[*value.Array, value.Value]
	learned int                 // secrets known when objects and arrays were begun
	found   map[*path.Path]bool // the paths that have led to something
}

func newRedactor(redactions []*Redaction) *redactor {
	if len(redactions) == 0 {
		return nil
	}
	r := &redactor{found: make(map[*path.Path]bool)}
	for _, redaction := range redactions {
		r.roots = append(r.roots, place{redaction.path, 0})
	}
	return r
}

// value returns v without its secrets.
func (r *redactor) value(v value.Value) value.Value {
	if v == nil {
		return nil
	}
	r.learn(v)
	return r.clean(v)
}

// learn notes the secrets of a value, so that they are known in the lines that are written before it.
func (r *redactor) learn(v value.Value) {
	if v != nil {
		r.follow(v, r.roots)
	}
}

// clean replaces the values at the paths, and then every known secret.
func (r *redactor) clean(v value.Value) value.Value {
	if v == nil {
		return nil
	}
	if r.learned != r.secrets.count {
		r.objects, r.arrays = recent[*value.Object, value.Value]{}, recent[*value.Array, value.Value]{}
		r.learned = r.secrets.count
	}
	switch c := v.(type) {
	case *value.Object:
		if known, ok := r.objects.get(c); ok {
			return known
		}
		cleaned := r.scrub(r.follow(v, r.roots))
		r.objects.set(c, cleaned)
		return cleaned
	case *value.Array:
		if known, ok := r.arrays.get(c); ok {
			return known
		}
		cleaned := r.scrub(r.follow(v, r.roots))
		r.arrays.set(c, cleaned)
		return cleaned
	}
	return r.scrub(r.follow(v, r.roots))
}

// follow returns v with the values at the paths replaced, and learns these values.
func (r *redactor) follow(v value.Value, places []place) value.Value {
	places = settle(places)
	secret := false
	for _, p := range places {
		if p.at == p.path.Len() {
			r.found[p.path], secret = true, true
		}
	}
	if secret {
		r.secrets.learn(v)
		if len(places) > 1 {
			r.inside(v, places)
		}
		return value.String(Redacted)
	}
	if len(places) == 0 {
		return v
	}
	switch c := v.(type) {
	case *value.Object:
		out := c
		for i := range c.Len() {
			member := c.At(i)
			if next := advance(places, &member.Key, 0, 0); len(next) > 0 {
				if replaced := r.follow(member.Value, next); !value.Identical(replaced, member.Value) {
					out = out.With(member.Key, replaced)
				}
			}
		}
		return out
	case *value.Array:
		out := c
		for i, item := range c.All() {
			if next := advance(places, nil, i, c.Len()); len(next) > 0 {
				if replaced := r.follow(item, next); !value.Identical(replaced, item) {
					out = out.With(i, replaced)
				}
			}
		}
		return out
	}
	return v
}

// inside follows the other paths through a value that is replaced as a whole, to note that they match.
func (r *redactor) inside(v value.Value, places []place) {
	below(v, places, func(part value.Value, next []place) { r.follow(part, next) })
}

// below visits the members and items of a value at which paths continue, with those.
func below(v value.Value, places []place, visit func(part value.Value, next []place)) {
	switch c := v.(type) {
	case *value.Object:
		for key, member := range c.All() {
			if next := advance(places, &key, 0, 0); len(next) > 0 {
				visit(member, next)
			}
		}
	case *value.Array:
		for i, item := range c.All() {
			if next := advance(places, nil, i, c.Len()); len(next) > 0 {
				visit(item, next)
			}
		}
	}
}

// unfound returns the paths that have led to nothing.
func (r *redactor) unfound() []string {
	var paths []string
	for _, p := range r.roots {
		if !r.found[p.path] {
			paths = append(paths, p.path.String())
		}
	}
	return paths
}

// settle adds for each ".." the place behind it: it leads to the value itself as well.
func settle(places []place) []place {
	for i := 0; i < len(places); i++ {
		p := places[i]
		if p.at < p.path.Len() && p.path.Segment(p.at).Kind == path.DescentSegment {
			behind := place{p.path, p.at + 1}
			if !slices.Contains(places, behind) {
				places = append(places[:len(places):len(places)], behind)
			}
		}
	}
	return places
}

// advance follows the paths to one member, or to one item of an array of that length.
func advance(places []place, key *string, index, length int) []place {
	var next []place
	for _, p := range places {
		if p.at == p.path.Len() {
			continue
		}
		segment := p.path.Segment(p.at)
		behind := place{p.path, p.at + 1}
		switch segment.Kind {
		case path.DescentSegment:
			next = append(next, p)
		case path.WildcardSegment:
			next = append(next, behind)
		case path.NameSegment:
			if key != nil && *key == segment.Name {
				next = append(next, behind)
			}
		case path.IndexSegment:
			if key == nil && (segment.Index == index || segment.Index == index-length) {
				next = append(next, behind)
			}
		default:
		}
	}
	return next
}

// scrub replaces every secret known, wherever it is.
func (r *redactor) scrub(v value.Value) value.Value {
	if r.secrets.count == 0 {
		return v
	}
	switch c := v.(type) {
	case value.String:
		return value.String(r.text(string(c)))
	case value.Number:
		if r.secrets.has(c.Text()) {
			return value.String(Redacted)
		}
	case *value.Object:
		var b value.ObjectBuilder
		changed := false
		for key, member := range c.All() {
			name, scrubbed := r.text(key), r.scrub(member)
			changed = changed || name != key || !value.Identical(scrubbed, member)
			b.Set(name, scrubbed)
		}
		if changed {
			return b.Object()
		}
	case *value.Array:
		out := c
		for i, item := range c.All() {
			if scrubbed := r.scrub(item); !value.Identical(scrubbed, item) {
				out = out.With(i, scrubbed)
			}
		}
		return out
	}
	return v
}

// text returns a text without its secrets.
func (r *redactor) text(text string) string { return r.secrets.replace(text) }

// secrets are the texts that are not to be written.
type secrets struct {
	count int
	// byStart has them by their first bytes, the longest first.
	byStart map[[minSecret]byte][]string
	starts  [256]bool // the first byte of any
}

// learn takes in every text and number of a value.
func (s *secrets) learn(v value.Value) {
	switch v := v.(type) {
	case value.String:
		s.add(string(v))
	case value.Number:
		s.add(v.Text())
	case *value.Array:
		for _, item := range v.All() {
			s.learn(item)
		}
	case *value.Object:
		for _, member := range v.All() {
			s.learn(member)
		}
	}
}

// add adds a text with its forms inside of JSON, and inside of JSON in a string of JSON.
func (s *secrets) add(text string) {
	for range 3 {
		if len(text) < minSecret || text == Redacted {
			return
		}
		start := startOf(text)
		if slices.Contains(s.byStart[start], text) {
			return
		}
		if s.byStart == nil {
			s.byStart = make(map[[minSecret]byte][]string)
		}
		list := append(s.byStart[start], text)
		slices.SortFunc(list, func(a, b string) int { return len(b) - len(a) })
		s.byStart[start] = list
		s.starts[start[0]] = true
		s.count++
		quoted := value.AppendQuoted(nil, text)
		text = string(quoted[1 : len(quoted)-1])
	}
}

func startOf(text string) (start [minSecret]byte) {
	copy(start[:], text)
	return start
}

func (s *secrets) has(text string) bool {
	return len(text) >= minSecret && slices.Contains(s.byStart[startOf(text)], text)
}

// replace replaces every secret in a text, and one that the text cuts off at its end or before an ellipsis.
func (s *secrets) replace(text string) string {
	if s.count == 0 || len(text) < minSecret {
		return text
	}
	var out strings.Builder
	copied := 0
	for i := 0; i+minSecret <= len(text); {
		length := 0
		if s.starts[text[i]] {
			length = s.at(text[i:])
		}
		if length == 0 {
			i++
			continue
		}
		out.WriteString(text[copied:i])
		out.WriteString(Redacted)
		i += length
		copied = i
	}
	if copied == 0 {
		return text
	}
	out.WriteString(text[copied:])
	return out.String()
}

// at returns how many bytes at the beginning of rest are secret.
func (s *secrets) at(rest string) int {
	for _, secret := range s.byStart[startOf(rest)] {
		if strings.HasPrefix(rest, secret) {
			return len(secret)
		}
		shared := 0
		for shared < len(rest) && shared < len(secret) && rest[shared] == secret[shared] {
			shared++
		}
		if end := rest[shared:]; end == "" || strings.HasPrefix(end, "…") || strings.HasPrefix(end, "...") {
			return shared
		}
	}
	return 0
}

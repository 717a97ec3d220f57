package debug_test

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/debug"
	"asldb/engine/path"
	"asldb/engine/provenance"
	"asldb/engine/source"
	"asldb/engine/value"
)

// dataAt returns the data to which the path of a node belongs.
func dataAt(event *engine.Event) value.Value {
	if event.After != nil {
		return event.After
	}
	return event.Before
}

// rootsAt are the data of an event, in which variables are the members of those that an Assign has.
func rootsAt(s *debug.Session, i int) *path.Roots {
	data := dataAt(s.Log().At(i))
	return &path.Roots{Data: data, Variables: func(name string) value.Value {
		object, _ := data.(*value.Object)
		return object.Get(name)
	}}
}

// pathsOf lists paths of a document, the first ones in its order.
func pathsOf(v value.Value, at string, most int, list []string) []string {
	if len(list) >= most {
		return list
	}
	list = append(list, at)
	switch c := v.(type) {
	case *value.Array:
		for i, item := range c.All() {
			list = pathsOf(item, at+"["+value.Compact(value.Int(int64(i)))+"]", most, list)
		}
	case *value.Object:
		for key, member := range c.All() {
			list = pathsOf(member, at+"["+value.Compact(value.String(key))+"]", most, list)
		}
	}
	return list
}

// Every node of every way in every run has the value at its path in the data of its event, and no search
// fails for another reason than that the value is missing.
func TestNodesOfWaysHaveTheirValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parsed, diagnostics := asl.Parse(&source.File{Name: "random", Data: wildMachine(t)})
		if parsed == nil {
			t.Fatal(diagnostics[0])
		}
		machine, err := engine.Compile(parsed, engine.AWS)
		if err != nil {
			t.Fatal(err)
		}
		s := debug.New(machine, debug.Options{
			Input:  value.Must(`{"items":[1,2,3],"o":{"p":{"q":1}}}`),
			Source: &wildSource{whimsical{seed: rapid.IntRange(0, 50).Draw(t, "seed")}}, Seed: 3,
		})
		for range rapid.IntRange(0, 6).Draw(t, "orders") {
			anything(t, s)
		}
		goFar(t, s)
		if s.Log().Len() == 0 {
			return
		}
		l := &provenance.Lens{Log: s.Log(), Explainer: s.Explainer(), Limit: -1}
		for range 3 {
			i := rapid.IntRange(0, s.Log().Len()-1).Draw(t, "event")
			at := s.Log().DataAt(i)
			if at < 0 {
				continue
			}
			for _, text := range pathsOf(dataAt(s.Log().At(at)), "$", 8, nil) {
				back, err := l.Back(i, text)
				if err != nil {
					t.Fatalf("%s at event %d: %v", text, i, err)
				}
				checkNodes(t, s, back)
				forward, err := l.Forward(i, text)
				if err != nil {
					t.Fatalf("%s at event %d: %v", text, i, err)
				}
				checkNodes(t, s, forward)
			}
			for _, text := range []string{"$.o.p.q", "$.t.token", "$.edited", "$.both[0].pass.in", "$n", "$q.x",
				"$.m[2]", "$.none", "$states.input.items"} {
				way, loss, err := l.Find(i, text)
				var syntax *path.SyntaxError
				switch {
				case errors.As(err, &syntax), err != nil && way != nil, err == nil && (way == nil) == (loss == nil):
					t.Fatalf("%s at event %d: %v, %v, %v", text, i, way, loss, err)
				case loss != nil && loss.Kind != provenance.NeverThere:
					checkLoss(t, s, loss)
				}
			}
		}
	})
}

func checkNodes(t *rapid.T, s *debug.Session, w *provenance.Way) {
	t.Helper()
	total := 0
	for _, n := range w.All() {
		total++
		switch n.Kind {
		case provenance.Context, provenance.Dropped, provenance.Folded:
			continue
		}
		if n.Value == nil && n.Kind == provenance.Unknown || n.Kind == provenance.Read &&
			strings.HasPrefix(n.To, "$") && len(n.To) > 1 && n.To[1] != '.' && n.To[1] != '[' {
			continue // of a variable it is known no more
		}
		at, err := path.ParseReference(n.To)
		if err != nil {
			t.Fatalf("%s of %s: %v", n.To, w.Path, err)
		}
		found := at.Find(rootsAt(s, n.Event))
		if found == nil || !value.Equal(found, n.Value) {
			t.Fatalf("%s of event %d, %v, on the way of %s at event %d (forward %v) is %s, not %s",
				n.To, n.Event, n.Kind, w.Path, w.Event, w.Forward, value.Compact(found), value.Compact(n.Value))
		}
		if n.Field != "" && n.Place == nil {
			t.Fatalf("%s has no place", n.Field)
		}
	}
	if total != w.Total {
		t.Fatalf("%d nodes, and %d are counted", total, w.Total)
	}
}

// checkLoss checks that the value was where the loss says, and is not after the event that lost it.
func checkLoss(t *rapid.T, s *debug.Session, loss *provenance.Loss) {
	t.Helper()
	at, err := path.ParseReference(loss.HadPath)
	if err != nil {
		t.Fatal(err)
	}
	if found := at.Find(rootsAt(s, loss.Had)); !value.Equal(found, loss.Value) || found == nil {
		t.Fatalf("%s: event %d had %s, not %s", loss.Path, loss.Had, value.Compact(found), value.Compact(loss.Value))
	}
	if loss.At <= loss.Had || loss.Way == nil {
		t.Fatalf("%s was lost at event %d, after %d", loss.Path, loss.At, loss.Had)
	}
	checkNodes(t, s, loss.Way)
}

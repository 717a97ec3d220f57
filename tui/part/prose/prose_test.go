package prose

import (
	"testing"

	"asldb/engine"
	"asldb/engine/asl"
	"asldb/engine/explain"
	"asldb/engine/value"
	"asldb/tui/part/canvas"
)

// TestSigns: each sign has a glyph, in ASCII too, since no meaning is in the colour alone.
func TestSigns(t *testing.T) {
	for _, g := range []*canvas.Glyphs{canvas.Unicode(), canvas.ASCII()} {
		for sign, glyph := range SignsOf(g) {
			if explain.Sign(sign) != explain.NoSign && glyph == "" {
				t.Errorf("sign %d has no glyph", sign)
			}
		}
	}
}

// TestTones: tones that differ in meaning differ in style.
func TestTones(t *testing.T) {
	tones := make(map[canvas.Style]explain.Tone)
	for tone := explain.TonePlain; tone <= explain.ToneRemoved; tone++ {
		style := StyleOf(tone)
		if other, twice := tones[style]; twice {
			t.Errorf("tones %d and %d have one style", other, tone)
		}
		tones[style] = tone
	}
}

func TestEventGlyph(t *testing.T) {
	g := canvas.Unicode()
	for _, c := range []struct {
		event engine.EventType
		want  string
		style canvas.Style
	}{
		{engine.TaskFailed, g.Failed, StyleOf(explain.ToneBad)},
		{engine.TaskSucceeded, g.Visited, StyleOf(explain.ToneGood)},
		{engine.StateEntered, g.Current, StyleOf(explain.ToneHeading)},
		{engine.StateExited, " ", StyleOf(explain.TonePlain)},
	} {
		e := &engine.Event{Type: c.event}
		if got, style := EventGlyph(e, g), EventStyle(e); got != c.want || style != c.style {
			t.Errorf("%v: %q in style %v, want %q in %v", c.event, got, style, c.want, c.style)
		}
	}
}

func TestStateGlyph(t *testing.T) {
	g := canvas.Unicode()
	for _, c := range []struct {
		state *asl.State
		want  string
	}{
		{&asl.State{Type: asl.Choice}, g.Choice}, {&asl.State{Type: asl.Parallel}, g.Parallel + "0"}, {&asl.State{Type: asl.Map}, g.Map},
		{&asl.State{Type: asl.Wait}, g.Waiting}, {&asl.State{Type: asl.Succeed}, g.End}, {&asl.State{Type: asl.Pass, End: true}, ""},
		{&asl.State{Type: asl.Task}, ""},
	} {
		if got := StateGlyph(c.state, g); got != c.want {
			t.Errorf("%s: %q, want %q", c.state.Type, got, c.want)
		}
	}
}

func TestValue(t *testing.T) {
	v, err := value.Parse([]byte(`{"name":"a long one","n":1}`), value.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		v     value.Value
		limit int
		g     *canvas.Glyphs
		want  string
	}{
		{nil, 9, canvas.Unicode(), ""},
		{v, 40, canvas.Unicode(), `{"name":"a long one","n":1}`},
		{v, 10, canvas.ASCII(), `{"name":"` + canvas.ASCII().Ellipsis},
	} {
		if got := Value(c.v, c.limit, c.g); got != c.want {
			t.Errorf("at most %d characters: %s, want %s", c.limit, got, c.want)
		}
	}
	if got := Preview(v, canvas.Unicode()); got != `{"name":"a long one","n":1}` {
		t.Error(got)
	}
	if got := Spans([]explain.Span{{Text: "is "}, {Kind: explain.KindValue, Value: v}}, canvas.Unicode()); got != `is {"name":"a long one","n":1}` {
		t.Error(got)
	}
}

func TestChanges(t *testing.T) {
	g := canvas.ASCII()
	if got, want := Changes(value.Counts{Added: 1, Changed: 2}, g), g.Added+"1 "+g.Changed+"2"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := Changes(value.Counts{}, g); got != "no change" {
		t.Error(got)
	}
}

// TestSpanStyle: names have their own styles; sentences, values and signs have their paragraph's.
func TestSpanStyle(t *testing.T) {
	for kind, want := range map[explain.Kind]canvas.Style{
		explain.KindPath: canvas.Key, explain.KindField: canvas.Key, explain.KindState: canvas.Strong, explain.KindError: canvas.Bad,
		explain.KindWords: canvas.Plain, explain.KindValue: canvas.Plain, explain.KindSign: canvas.Plain,
	} {
		if got := SpanStyle(kind); got != want {
			t.Errorf("the style of %d is %d, want %d", kind, got, want)
		}
	}
}

package settings

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"asldb/tui/keys"
	"asldb/tui/part/canvas"
)

const full = `# mine
theme: light
ascii: true
mouse: false
clock: x60
layout:
  graph-width: 25
  lower-height: 40
  side-width: 30
  density: chips
  view: before
  focus: events
colors:
  added: "#00aa00"
  bar: {text: "15", background: 24}
keys:
  step-stage: [n, f7]
  find-next: ctrl+n
  zoom: []
  fold: space
`

func TestEverythingCanBeConfigured(t *testing.T) {
	c, err := Parse("config.yaml", []byte(full))
	if err != nil {
		t.Fatal(err)
	}
	want := Default()
	want.Theme, want.ASCII, want.Mouse, want.Clock = "light", true, false, "x60"
	want.Layout = Layout{25, 40, "chips", "before", "events"}
	want.Colors[canvas.Added] = canvas.Colors{Text: "#00aa00"}
	want.Colors[canvas.Bar] = canvas.Colors{Text: "15", Background: "24"}
	want.Keys = map[keys.Action][]string{
		keys.StepStage: {"n", "f7"}, keys.FindNext: {"ctrl+n"}, keys.Zoom: {}, keys.Fold: {" "},
	}
	want.Table = c.Table
	if !reflect.DeepEqual(c, want) {
		t.Errorf("got %+v\nwant %+v", c, want)
	}
	if c.Table.Lookup("n") != keys.StepStage || c.Table.Lookup("z") != keys.None {
		t.Error("the table does not have the keys of the file")
	}
}

// TestWhatIsPrintedReadsTheSame: the text with all settings is a configuration, and the same one.
func TestWhatIsPrintedReadsTheSame(t *testing.T) {
	for name, text := range map[string]string{"default": "", "comment": "# nothing\n", "full": full} {
		c, err := Parse(name, []byte(text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		printed := c.Text()
		again, err := Parse("printed", []byte(printed))
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, printed)
		}
		if !reflect.DeepEqual(c, again) {
			t.Errorf("%s: printed and read it is %+v\nwant %+v\n%s", name, again, c, printed)
		}
		for i := range settings() {
			if s := &settings()[i]; !strings.Contains(printed, s.about) {
				t.Errorf("%s: the text has no description of %s", name, s.name)
			}
		}
	}
}

func TestErrorsNameThePlace(t *testing.T) {
	for text, want := range map[string]string{
		"theme: drak":                       `c.yaml:1:8: theme: expected auto, dark or light, found "drak"; did you mean dark?`,
		"ascii: maybe":                      `c.yaml:1:8: ascii: expected true or false, found "maybe"`,
		"\nmosue: true":                     `c.yaml:2:1: there is no setting "mosue"; did you mean mouse?`,
		"layout:\n  graph-with: 3":          `c.yaml:2:3: there is no setting of layout "graph-with"; did you mean graph-width?`,
		"layout:\n  graph-width: 95":        `c.yaml:2:16: graph-width: expected a whole number from 0 to 90, found 95`,
		"layout: wide":                      `c.yaml:1:1: expected a mapping with settings of the layout, found "wide"`,
		"clock: 60x":                        `c.yaml:1:8: clock: expected skip, real, manual, or a factor above 0 such as x60, found "60x"`,
		"colors:\n  addd: 3":                `c.yaml:2:3: there is no role "addd"; did you mean added?`,
		"colors:\n  added: green":           `c.yaml:2:10: added: expected a colour: "#rrggbb" in quotes, or a number from 0 to 255, found "green"`,
		"colors:\n  added: #00ff00":         `c.yaml:2:`,
		"colors:\n  added: {txt: 3}":        `c.yaml:2:11: a role has text and background, and no "txt"; did you mean text?`,
		"keys:\n  step-stag: i":             `c.yaml:2:3: there is no action "step-stag"; did you mean step-stage?; asldb keys --all lists them`,
		"keys:\n  step-stage: [n]":          `c.yaml:2:15: step-stage: the key n belongs to find-next already; give that another one as well`,
		"keys:\n  step-stage: i\n  zoom: i": `c.yaml:3:9: zoom: the key i belongs to step-stage already; give that another one as well`,
		"keys:\n  zoom: hyper":              `c.yaml:2:9: zoom: there is no key "hyper"`,
		"keys:\n  kill: Q":                  `c.yaml:2:9: kill: ctrl+c always ends the program; kill must keep it`,
		"keys:\n  zoom:":                    `c.yaml:2:`,
		"keys:\n  break: Y\n  until: v":     `c.yaml:3:3: "until" is another name of break, which is given already`,
		"theme: dark\ntheme: light":         `c.yaml:2:1: "theme" is given twice`,
		"- a":                               `c.yaml:1:1: expected settings such as theme: dark, found a list`,
		"theme: [":                          `c.yaml:1:8: `,
		"theme: dark\n---\ntheme: light":    `c.yaml:3:`,
		"theme:":                            `c.yaml:1:`,
	} {
		_, err := Parse("c.yaml", []byte(text))
		var problems Problems
		if !errors.As(err, &problems) {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got := problems[0].String(); !strings.HasPrefix(got, want) {
			t.Errorf("%q:\n got %s\nwant %s", text, got, want)
		}
	}
}

func TestAllProblemsAtOnce(t *testing.T) {
	_, err := Parse("c.yaml", []byte("theme: drak\nclock: 60x\ncolors: {x: 3}\n"))
	if got := strings.Count(err.Error(), "\n") + 1; got != 3 {
		t.Errorf("%d problems, want 3:\n%v", got, err)
	}
}

func TestPath(t *testing.T) {
	dir, home := t.TempDir(), t.TempDir() // with a drive, on Windows
	for want, env := range map[string]map[string]string{
		filepath.Join(dir, "asldb", "config.yaml"):             {"XDG_CONFIG_HOME": dir, "APPDATA": home, "HOME": home},
		filepath.Join(home, ".config", "asldb", "config.yaml"): {"XDG_CONFIG_HOME": "relative", "APPDATA": "relative", "HOME": home},
		filepath.Join(home, "asldb", "config.yaml"):            {"APPDATA": home, "HOME": dir},
		"": {},
	} {
		if got := Path(func(name string) string { return env[name] }); got != want {
			t.Errorf("%v: %q, want %q", env, got, want)
		}
	}
}

func TestLoad(t *testing.T) {
	file := filepath.Join(t.TempDir(), "c.yaml")
	if _, err := Load(file); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	if err := os.WriteFile(file, []byte("theme: light\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if c, err := Load(file); err != nil || c.Theme != "light" {
		t.Errorf("%+v, %v", c, err)
	}
	if err := os.WriteFile(file, make([]byte, maxBytes+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(file); err == nil {
		t.Error("a file that is too large is read")
	}
}

func FuzzParse(f *testing.F) {
	f.Add(full)
	f.Add("a: {b: [c, &d e, *d], <<: *d}")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Parse("fuzz", []byte(text))
		if (c == nil) == (err == nil) {
			t.Fatalf("%v and %v", c, err)
		}
	})
}

// A file that nests without end is refused before anything follows it down.
func TestDeepConfiguration(t *testing.T) {
	for _, opening := range []string{"[", "{a: ", "- "} {
		_, err := Parse("c.yaml", []byte("keys: "+strings.Repeat(opening, 200_000)))
		if err == nil || !strings.Contains(err.Error(), "levels of nesting") && opening != "- " {
			t.Errorf("%q, again and again: %.200v", opening, err)
		}
	}
}

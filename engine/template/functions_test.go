package template

import (
	"strings"
	"testing"
)

// TestDescriptions: the calls that the descriptions show can be parsed, with all arguments and with those that are
// needed.
func TestDescriptions(t *testing.T) {
	all := Functions()
	if len(all) != 18 {
		t.Errorf("there are %d functions", len(all))
	}
	for _, f := range all {
		if !strings.HasPrefix(f.Usage(), f.Name+"(") || f.About == "" {
			t.Errorf("%s: %q", f.Usage(), f.About)
		}
		var names []string
		for _, name := range f.Parameters {
			if name != "..." {
				names = append(names, "$."+name)
			}
		}
		for _, given := range [][]string{names, names[:f.least]} {
			if call, err := Parse(f.Name + "(" + strings.Join(given, ", ") + ")"); err != nil {
				t.Errorf("%v: %v", call, err)
			}
		}
		more := append(names, "$.more")
		call, err := Parse(f.Name + "(" + strings.Join(more, ", ") + ")")
		if err != nil {
			t.Fatal(err)
		}
		if takes := strings.Contains(f.Usage(), "...") || f.Name == "States.UUID"; (call.Fault() == nil) != takes {
			t.Errorf("%s with %d arguments: %v", f.Usage(), len(more), call.Fault())
		}
	}
}

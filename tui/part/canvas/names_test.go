package canvas

import "testing"

func TestRolesHaveNamesOfTheirOwn(t *testing.T) {
	seen := map[string]bool{}
	for name := range Roles() {
		if seen[name] || name == "" {
			t.Errorf("the name %q is empty or is there twice", name)
		}
		seen[name] = true
		if _, ok := RoleNamed(name); !ok {
			t.Errorf("the role %q is not found by its name", name)
		}
	}
	if style, ok := RoleNamed("bar-bad"); !ok || style != BarBad {
		t.Errorf("bar-bad is style %d, want %d", style, BarBad)
	}
	if _, ok := RoleNamed("no-such-role"); ok {
		t.Error("a role that does not exist is found")
	}
	for range Roles() {
		break // a loop may end early
	}
}

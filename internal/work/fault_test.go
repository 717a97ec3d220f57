package work

import (
	"errors"
	"strings"
	"testing"
)

func TestCatch(t *testing.T) {
	if f := Catch(func() {}); f != nil {
		t.Errorf("no fault is %v", f)
	}
	f := Catch(faulty)
	if f == nil || f.Error() != "broken" || !strings.Contains(string(f.Stack), "work.faulty") {
		t.Fatalf("the fault is %v", f)
	}
	if again := Catch(func() { panic(f) }); again != f {
		t.Errorf("a fault that is passed on is another one: %v", again)
	}
}

func faulty() { panic(errors.New("broken")) }

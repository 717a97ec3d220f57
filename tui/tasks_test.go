package tui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"asldb/engine/debug"
	"asldb/tui/tuitest"
)

// eachOrder is a Map over orders, whose number does not change how many keys lead to one of them.
func eachOrder(t testing.TB) *debug.Session {
	const definition = `{"StartAt":"Each","States":{"Each":{"Type":"Map","End":true,
		"ItemProcessor":{"StartAt":"Pick","States":{"Pick":{"Type":"Pass","End":true}}}}}}`
	return tuitest.Session(t, definition, "["+strings.Repeat("0,", 89)+"0]", nil)
}

// oneTask is a run that asks for the result of its task.
func oneTask(t testing.TB) *debug.Session {
	const definition = `{"StartAt":"Quote","States":{"Quote":{"Type":"Task","End":true,
		"Resource":"arn:aws:lambda:us-east-1:123456789012:function:quote"}}}`
	return tuitest.Session(t, definition, `{}`, nil)
}

// TestKeysOfTasks: what users do most takes so many keys in the real program, and shows its end. Text that is typed,
// which begins with a quotation mark here, counts as none.
func TestKeysOfTasks(t *testing.T) {
	for _, task := range []struct {
		name        string
		session     func(t testing.TB) *debug.Session
		given       func(t testing.TB, s *debug.Session, o *Options)
		first, keys []string
		most        int
		want        []string
	}{
		{
			name:    "find where a field was lost",
			session: tuitest.Invoice,
			keys:    []string{"c", "H"},
			most:    2,
			want: []string{
				"$.customer.email is missing", "Enrich should have made $.customer", "catcher 1 put the Error Output",
			},
		},
		{
			name:    "stop on a condition",
			session: tuitest.Demo,
			keys:    []string{":", `"break ChargeCard if $.validation.total > 100`, "enter", "c"},
			most:    3,
			want:    []string{"BREAKPOINT 1 ChargeCard if $.validation.total > 100"},
		},
		{
			name:    "change a result at the end and compare",
			session: tuitest.Demo,
			first:   []string{"c"},
			keys:    []string{"x", "enter", `"{}`, "enter"},
			most:    4,
			want:    []string{"what-if 2", "enter go there"},
		},
		{
			name:    "see what an edit changes",
			session: tuitest.Invoice,
			given:   mended,
			first:   []string{"c"},
			keys:    []string{"r"},
			most:    1,
			want:    []string{"what-if 2", "retrier 1 takes Lambda.ServiceException"},
		},
		{
			name:    "go to an iteration",
			session: eachOrder,
			first:   []string{"c"},
			keys:    []string{":", `"iteration 77`, "enter"},
			most:    3,
			want:    []string{"Each/Iterations[77]"},
		},
		{
			name:    "keep the answers as fixtures",
			session: oneTask,
			given: func(_ testing.TB, _ *debug.Session, o *Options) {
				o.Save = func(string, []byte) error { return nil }
			},
			first: []string{"c", `"{"total":1}`, "enter"},
			keys:  []string{"ctrl+s", "enter"},
			most:  2,
			want:  []string{"Saved 1 result of 1 task as "},
		},
	} {
		t.Run(task.name, func(t *testing.T) {
			t.Parallel()
			var o Options
			o.Title, o.later = "order", timeless
			s := task.session(t)
			if task.given != nil {
				task.given(t, s, &o)
			}
			var pressed []string
			counted := 0
			for i, key := range append(task.first[:len(task.first):len(task.first)], task.keys...) {
				if text, isText := strings.CutPrefix(key, `"`); isText {
					pressed = append(pressed, strings.Split(text, "")...)
					continue
				}
				pressed = append(pressed, key)
				if i >= len(task.first) {
					counted++
				}
			}
			if counted > task.most {
				t.Errorf("%d keys, at most %d are wanted", counted, task.most)
			}
			frame := ansi.Strip(final(t, New(s, o).Stack, pressed, [2]int{120, 40}).View())
			text := strings.Join(strings.Fields(frame), " ")
			for _, want := range task.want {
				if !strings.Contains(text, want) {
					t.Errorf("after %d keys the screen lacks %q:\n%s", counted, want, frame)
				}
			}
		})
	}
}

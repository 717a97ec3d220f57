package tui

import (
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
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

// TestKeysOfTasks: what users do most takes so many keys in the real program, counted as they reach it, until the end
// of the task is on the screen. Text that is typed, which begins with a quotation mark here, counts as none.
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
			keys := slices.Concat(sent(task.first), []tea.Msg{countMsg{task.want}}, sent(task.keys))
			model := playedBy(t, New(s, o).Stack, keys, [2]int{120, 40})
			if !model.reached || model.needed == 0 || model.needed > task.most {
				t.Errorf("of %d keys %d lead to %q (%v), wanted are 1 to %d:\n%s",
					model.counted, model.needed, task.want, model.reached, task.most, ansi.Strip(model.View()))
			}
			t.Logf("%d of %d keys", model.needed, model.counted)
		})
	}
}

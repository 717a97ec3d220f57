package recorder_test

import (
	"fmt"
	"testing"

	"asldb/engine"
	"asldb/engine/expr"
	"asldb/recorder"
)

const entered = `{"seq":12,"time":"2026-01-01T00:00:00Z","type":"StateEntered","thread":0,"state":"Pay","visit":2,"entered":12,"stage":"input","inspection":"input","historyId":4,"afterValue":3}`

func TestRead(t *testing.T) {
	var h recorder.Head
	if !h.Read([]byte(entered)) {
		t.Fatal("the head is not read")
	}
	if h.Seq != 12 || string(h.Time) != "2026-01-01T00:00:00Z" || h.Kind != engine.StateEntered || h.Thread != 0 ||
		string(h.State) != "Pay" || h.Visit != 2 ||
		h.Entered != 12 || string(h.Stage) != "input" ||
		string(h.Rest) != `,"inspection":"input","historyId":4,"afterValue":3}` {
		t.Errorf("%+v", h)
	}
	if !h.Read([]byte(`{"seq":1,"time":"t","type":"ExecutionStarted","thread":0}`)) || h.State != nil ||
		h.Stage != nil || string(h.Rest) != "}" {
		t.Errorf("%+v", h)
	}
	if !h.Read([]byte(`{"seq":1,"time":"t","type":"WaitStarted","thread":0,"state":"ж","visit":1,"entered":1,"until":"x"}`)) || string(h.State) != "ж" {
		t.Errorf("%+v", h)
	}
	for _, line := range []string{
		``, `{`, `{"answer":"outcome"}`, `{"seq":x`, `{"seq":01,"time":"t"`, `{"seq":123456789012345678,"time":"t"`,
		`{"seq":1,"type":"ExecutionStarted"}`, `{"seq":1,"time":"t`, `{"seq":1,"time":"t"}`,
		`{"seq":1,"time":"t","type":"ExecutionStarted`, `{"seq":1,"time":"t","type":"Nothing","thread":0}`,
		`{"seq":1,"time":"t","type":"ExecutionStarted"}`,
		`{"seq":1,"time":"t","type":"ExecutionStarted","thread":-1}`,
		`{"seq":1,"time":"t","type":"ExecutionStarted","thread":0`,
		`{"seq":1,"time":"t","type":"ExecutionStarted","thread":1.5}`,
		`{"seq":1,"time":"t","type":"WaitStarted","thread":0,"state":"a\"b","visit":1,"entered":1}`,
		`{"seq":1,"time":"t","type":"WaitStarted","thread":0,"state":"a"}`,
		`{"seq":1,"time":"t","type":"WaitStarted","thread":0,"state":"a","visit":x}`,
		`{"seq":1,"time":"t","type":"WaitStarted","thread":0,"state":"a","visit":1}`,
		`{"seq":1,"time":"t","type":"WaitStarted","thread":0,"state":"a","visit":1,"entered":x}`,
		`{"seq":1,"time":"t","type":"WaitStarted","thread":0,"stage":"a`,
	} {
		if h.Read([]byte(line)) {
			t.Errorf("%s is read: %+v", line, h)
		}
	}
}

// locate knows the states Pay, and Each with the state Pack in its iterations.
func locate(path string) recorder.Place {
	switch path {
	case "Pay", "Each":
		return recorder.Place{State: path, Known: true}
	case "Each/Iterations[0]/Pack":
		return recorder.Place{State: "Pack", Parent: "Each", Known: true}
	}
	return recorder.Place{}
}

func line(seq int, kind, place, rest string) []byte {
	return fmt.Appendf(nil, `{"seq":%d,"time":"t","type":"%s","thread":1%s%s}`, seq, kind, place, rest)
}

func at(path string, visit, entered int) string {
	return fmt.Sprintf(`,"state":"%s","visit":%d,"entered":%d`, path, visit, entered)
}

func TestDecide(t *testing.T) {
	lines := map[string][]byte{
		"entry":   []byte(entered),
		"started": line(1, "ExecutionStarted", "", ""),
		"failed":  line(14, "TaskFailed", at("Pay", 2, 12), `,"stage":"Result","error":"E","cause":"c"`),
		"other":   line(15, "StageCompleted", at("Pay", 7, 12), `,"stage":"Arguments","after":1`),
		"each":    line(20, "StateEntered", at("Each", 1, 20), `,"stage":"input","after":[1]`),
		"big":     line(21, "StateEntered", at("Each", 1, 21), `,"stage":"input","afterValue":1`),
		"pack": line(22, "StateEntered", at("Each/Iterations[0]/Pack", 1, 22),
			`,"stage":"input","inspection":"input","parent":21,"beforeValue":0,"afterValue":1`),
		"packed":    line(23, "StateExited", at("Each/Iterations[0]/Pack", 1, 22), ``),
		"lost":      line(24, "StateExited", at("Nowhere", 1, 9), ``),
		"stateless": line(25, "StateExited", "", ``),
		"strange":   line(26, "StageCompleted", at("Pay", 2, 12), `,"stage":"Nothing"`),
	}
	order := []string{"started", "entry", "failed", "other", "each", "big", "pack", "packed", "lost", "stateless",
		"strange"}
	for text, want := range map[string]string{ // one letter for each line: y, n, or ? where the event has to be asked
		`type == "TaskFailed"`:                       "nnynnnnnnnn",
		`type == 5`:                                  "nnnnnnnnnnn",
		`seq > 14 && seq <= 21`:                      "nnnyyynnnnn",
		`seq < 2 || seq >= 26`:                       "ynnnnnnnnny",
		`thread != 1`:                                "nynnnnnnnnn",
		`state == "Pay"`:                             "nyyynnnn??y",
		`path =~ "Iter"`:                             "nnnnnnyy??n",
		`state == null`:                              "ynnnnnnn??n",
		`visit == 2`:                                 "nyy??nnn??y",
		`visit != 2`:                                 "ynn??yyy??n",
		`upper(path) == "PAY"`:                       "nyyynnnn??y",
		`stage == "Parameters"`:                      "nnnynnnnnn?",
		`stage == "Result" && state == "Pay"`:        "nnynnnnnnn?",
		`error == "E"`:                               "nn?nnnnnnnn",
		`error == null`:                              "yy?yyyyyyyy",
		`!(type == "TaskFailed")`:                    "yynyyyyyyyy",
		`type == "TaskFailed" && $.n > 5`:            "nn?nnnnnnnn",
		`$.n > 5 && type == "TaskFailed"`:            "nn?nnnnnnnn",
		`len($.n) > 5 && type == "TaskFailed"`:       "???????????",
		`$.n > 5 || type == "TaskFailed"`:            "??y????????",
		`!($.n > 5 && seq > 1) && seq < 20`:          "y???nnnnnnn",
		`seq + thread > 40`:                          "nnnnnnnnnnn",
		`seq + {} > 40 && type == "TaskFailed"`:      "???????????",
		`type + state == "TaskFailedPay"`:            "nnynnnnn??n",
		`visit + 1 == 3`:                             "nyy??nnn??y",
		`type in ["TaskFailed", "StateEntered"]`:     "nyynyyynnnn",
		`seq == 3.5 || seq == 1`:                     "ynnnnnnnnnn",
		`(state == "Pay" || seq == 20) && seq < 3`:   "nnnnnnnnnnn",
		`cause =~ "c" && seq == 14`:                  "nn?nnnnnnnn",
		`error.Cause == $.x && type != "TaskFailed"`: "??n????????",
		`state in ["Pay", $.n]`:                      "???????????",
		`[visit] == [2]`:                             "nyy??nnn??y",
		`(visit ? "a" : "b") == "a"`:                 "nyy??yyy??y",
		`visit ?? 2 == 2`:                            "yyy??yyy??y",
		`stage =~ "^i" || visit == 7`:                "nyn?yyyn???",
	} {
		x, err := expr.Compile(text)
		if err != nil {
			t.Fatal(err)
		}
		f := recorder.NewFilter(x, locate)
		if f == nil {
			t.Errorf("%s: heads decide nothing", text)
			continue
		}
		got := ""
		for _, name := range order {
			var h recorder.Head
			if !h.Read(lines[name]) {
				t.Fatal(name)
			}
			if f.Asks() {
				f.Enter(&h)
			}
			got += string("?ny"[f.Decide(&h)])
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	for _, text := range []string{`$.n > 5`, `nothing == 1`, `$.n == 1 || len($) > 2`, `1 == 1`, `!($.n)`} {
		x, err := expr.Compile(text)
		if err != nil {
			t.Fatal(err)
		}
		if recorder.NewFilter(x, locate) != nil {
			t.Errorf("%s: heads decide something", text)
		}
	}
}

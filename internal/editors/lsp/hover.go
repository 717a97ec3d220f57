package lsp

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/console"
	"asldb/engine/services"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/suiterun"
	"asldb/internal/wording"
)

// maxValue bounds a value that is shown, in bytes.
const maxValue = 1500

// hover answers with the description of the word at a position, and its value in a run in memory.
func (s *server) hover(ctx context.Context) func(p *positionParams) (any, error) {
	return func(p *positionParams) (any, error) {
		d, err := s.document(p.TextDocument.URI)
		if err != nil {
			return nil, err
		}
		offset := d.lines.offset(p.Position)
		found := s.placeAt(d, offset)
		if found == nil || found.machine == nil {
			return nil, nil
		}
		at := rangeIn(found.machine.text.Source, found.at, d)
		h := &hovering{place: found, where: whereIs(found.root, found.path)}
		h.data = s.data(ctx, s.soundMachine(d, found.machine.definition.Resource))
		if end := min(found.at.End.Offset, len(d.lines.data)); !found.isKey && offset <= end {
			h.upTo, h.rest = string(d.lines.data[found.at.Start.Offset:offset]), string(d.lines.data[offset:end])
		}
		h.describe()
		if len(h.parts) == 0 {
			return nil, nil
		}
		return hover{Contents: markup{Kind: "markdown", Value: strings.Join(h.parts, "\n\n")}, Range: &at}, nil
	}
}

// hovering gathers the text about a word.
type hovering struct {
	*place
	where
	data  *data
	parts []string
	// upTo and rest are the text of the value on both sides of the cursor, as it is written.
	upTo, rest string
}

func (h *hovering) add(format string, arguments ...any) {
	h.parts = append(h.parts, fmt.Sprintf(format, arguments...))
}

// describe describes the word.
func (h *hovering) describe() {
	switch {
	case h.isKey && h.state != nil && len(h.fields) == 0:
		h.describeState(h.name)
	case h.isKey:
		h.describeField()
	case isTarget(&h.where):
		h.describeState(h.text())
	default:
		h.describeValue()
	}
	if h.data != nil && h.state != nil {
		h.describeFailure()
	}
}

// describeFailure tells of the newest error of the state, or of its field, in the run in memory, as every face does.
func (h *hovering) describeFailure() {
	field := ""
	for _, key := range h.fields {
		switch {
		case isNumber(key):
			field += "[" + key + "]"
		case field != "":
			field += "/" + key
		default:
			field = key
		}
	}
	if lines := suiterun.ErrorIn(h.data.session, h.statePath(), field); len(lines) > 0 {
		text := wording.Fenced("", "", strings.Join(lines, "\n"))
		h.add("It fails in the run with %s:\n%s", h.data.name(), strings.TrimSuffix(text, "\n"))
	}
}

// describeState describes a state of the scope, with its data.
func (h *hovering) describeState(name string) {
	states := h.scope.Get("States")
	if states == nil || states.Get(name) == nil {
		return
	}
	state := states.Get(name)
	t, _ := source.TextOf(state.Get("Type"))
	h.add("**%s** (%s)", wording.Markdown(name), wording.Markdown(t))
	if comment, ok := source.TextOf(state.Get("Comment")); ok {
		lines := strings.Split(comment, "\n")
		for i := range lines {
			lines[i] = wording.Markdown(lines[i])
		}
		h.add("%s", strings.Join(lines, "\\\n"))
	}
	if h.data == nil {
		return
	}
	w := h.where
	w.state, w.name = state, name
	entered, exited := h.data.entry(w.statePath())
	if entered < 0 {
		h.add("The run with %s does not come here.", h.data.name())
		return
	}
	log := h.data.session.Log()
	h.show("Input", log.At(entered).After, entered)
	if exited >= 0 {
		h.show("Output", log.At(exited).After, -1)
	} else if h.data.note != "" {
		h.add("%s", h.data.note)
	}
}

// name returns the name of the fixtures without its folder.
func (d *data) name() string { return wording.Code(filepath.Base(d.fixtures)) }

// show adds a value. event is its run's, -1 where that is clear.
func (h *hovering) show(title string, v value.Value, event int) {
	if v == nil {
		return
	}
	if event >= 0 {
		title += " in the run with " + h.data.name()
		if visit := h.data.session.Log().At(event).Visit; visit != nil &&
			(visit.Number > 1 || strings.Contains(visit.Path(), "Iterations[")) {
			title += fmt.Sprintf(" (%s, visit %d)", wording.Markdown(visit.Path()), visit.Number)
		}
	}
	text := value.Pretty(v)
	if len(text) > maxValue {
		text = value.Preview(v, maxValue)
	}
	h.add("%s:\n%s", title, strings.TrimSuffix(wording.Fenced("", "json", text), "\n"))
}

// describeField describes a field, with the data before and after its stage.
func (h *hovering) describeField() {
	name := h.fields[len(h.fields)-1]
	field, rest := h.field()
	inTemplate := field != nil && len(rest) > 0 && field.Content.Templated()
	if field != nil && field.Content == asl.ContentAssign && len(rest) == 1 {
		h.add("The variable %s", wording.Code("$"+strings.TrimSuffix(name, ".$")))
	}
	if inTemplate {
		h.describeExpression()
		return
	}
	text := fieldText(name)
	if text == "" {
		return
	}
	h.add("**%s**", name)
	h.add("%s", text)
	if h.data == nil || field == nil || field.Stage == asl.NoStage || len(rest) > 0 || len(h.fields) != 1 {
		return
	}
	i := h.data.event(h.statePath(), field.Stage)
	if i < 0 {
		if entered, _ := h.data.entry(h.statePath()); entered < 0 {
			h.add("The run with %s does not come here.", h.data.name())
		}
		return
	}
	event := h.data.session.Log().At(i)
	if event.After == nil {
		h.show("Data", event.Before, i)
		return
	}
	h.show("Before", event.Before, i)
	h.show("After", event.After, -1)
}

// describeValue describes a value: of a path or an expression, its value in the run; of a Resource, the action.
func (h *hovering) describeValue() {
	if field, _ := h.field(); field != nil && field.Content == asl.ContentURI {
		h.describeResource()
		return
	}
	h.describeExpression()
}

// describeResource describes the action that a task calls.
func (h *hovering) describeResource() {
	call, ok := services.CallOf(h.text())
	if !ok {
		return
	}
	kind := "optimized integration"
	if call.SDK {
		kind = "AWS SDK"
	}
	h.add("**%s** (%s)", wording.Markdown(call.ServiceName+":"+call.Action+call.Pattern), kind)
	if call.Operation != nil && call.Operation.Input != nil {
		var required []string
		for _, m := range call.MembersWith(call.Operation.Input, "") {
			if m.Required {
				required = append(required, "`"+call.Name(m)+"`")
			}
		}
		if len(required) > 0 {
			h.add("Required: %s", strings.Join(required, ", "))
		}
	}
	if errors := call.ErrorNames(); len(errors) > 0 {
		h.add("Errors: %s", strings.Join(errors, ", "))
	}
}

// describeExpression adds the value of a path or an expression in the run.
func (h *hovering) describeExpression() {
	text, ok := source.TextOf(h.node)
	field, _ := h.field()
	switch {
	case !ok || !h.evaluates(text):
		return
	case h.language == asl.JSONPath && !strings.HasPrefix(text, "$") && !strings.HasPrefix(text, "States."):
		return
	}
	h.describeReads()
	if h.data == nil {
		return
	}
	env, at := h.data.env(h.statePath(), h.stage(field), field.Reads)
	if env == nil {
		h.add("The run with %s does not come here.", h.data.name())
		return
	}
	env.Language = h.language
	compiled, err := console.Compile(text)
	if err != nil {
		return
	}
	v, err := compiled.Look(env)
	if err != nil {
		h.add("No value in the run with %s: %s", h.data.name(), wording.Markdown(err.Error()))
		return
	}
	h.show("Value", v, at)
}

package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"asldb/engine/asl"
	"asldb/engine/explain"
	"asldb/engine/provenance"
	"asldb/internal/launch"
	"asldb/internal/visible"
	"asldb/tui/part/canvas"
	"asldb/tui/part/graph"
)

// graphLens marks the way of a value in the graph.
type graphLens struct {
	spec launch.Spec
	lens string
}

func (g *graphLens) addTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&g.spec.Replay.File, "trace", "", "the trace `FILE` in which --lens follows a value")
	flags.StringVar(&g.lens, "lens", "", "mark the way of the value at `EVENT:PATH`, or at PATH at the end of the run")
}

// overlay returns the marks of the states on the way of the value, nil where no value is followed.
func (g *graphLens) overlay(s *streams, definition *asl.StateMachine, glyphs *canvas.Glyphs) (*graph.Overlay, error) {
	switch {
	case g.lens == "" && g.spec.Replay.File == "":
		return nil, nil
	case g.spec.Replay.File == "":
		return nil, errors.New("--lens follows a value through a recorded run: --trace FILE says which")
	case g.lens == "":
		return nil, errors.New("--trace is for --lens, which says which value to follow")
	}
	flags, err := parseLens(g.lens)
	if err != nil {
		return nil, err
	}
	run, session, err := openLens(s, g.spec)
	if err != nil {
		return nil, err
	}
	defer run.Close()
	lens := lensOf(session)
	lens.Limit = -1
	way, loss, err := flags.find(lens, false)
	if err != nil {
		return nil, err
	}
	if loss != nil {
		return lensOverlay(definition, loss.States(), loss.Edges, glyphs)
	}
	return lensOverlay(definition, way.States(), way.Edges, glyphs)
}

// parseLens reads EVENT:PATH or PATH, which begins with $.
func parseLens(text string) (*lensFlags, error) {
	before, after, found := strings.Cut(text, ":")
	if !found || strings.HasPrefix(text, "$") {
		return &lensFlags{path: text}, nil
	}
	event, err := strconv.Atoi(before)
	if err != nil || event < 1 {
		return nil, fmt.Errorf("--lens is EVENT:PATH, such as '12:$.order.id', or PATH, and this is %q", clip(text, maxQuoted))
	}
	return &lensFlags{path: after, event: event}, nil
}

// graphParts are the parts of states in a drawing, by their role on the way.
var graphParts = map[provenance.Role]graph.Part{
	provenance.Carried: graph.OnWay, provenance.Moves: graph.OnWay, provenance.Reads: graph.OnWay, provenance.Makes: graph.OriginPart,
	provenance.Loses: graph.LostPart, provenance.Lacks: graph.LackPart,
}

// lensOverlay marks states and transitions of a definition as those of the run's own were.
func lensOverlay(definition *asl.StateMachine, parts []provenance.StatePart, edges []*provenance.Edge, glyphs *canvas.Glyphs) (*graph.Overlay, error) {
	writer := explain.Plain(maxQuoted)
	writer.Signs[explain.SignLeads] = glyphs.To
	marks := make(map[*asl.State]graph.Mark)
	for i := range parts {
		state := definition.Lookup(parts[i].State.Path())
		if state == nil {
			return nil, fmt.Errorf("the run of the trace was in the state %q, which the definition does not have", parts[i].State.Path())
		}
		marks[state] = graph.Mark{Part: graphParts[parts[i].Role], Note: visible.Line(writer.Spans(explain.Part(&parts[i])))}
	}
	type taken struct {
		from *asl.State
		edge int
	}
	trail := make(map[taken]bool)
	for _, e := range edges {
		edge, ok := e.Transition()
		if from := definition.Lookup(e.From.State.Path()); ok && from != nil && !e.Lost {
			trail[taken{from, edge}] = true
		}
	}
	return &graph.Overlay{
		Mark:  func(state *asl.State) graph.Mark { return marks[state] },
		Taken: func(from *asl.State, edge int) bool { return trail[taken{from, edge}] },
	}, nil
}

package checks

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"asldb/engine/asl"
	"asldb/engine/provenance"
	"asldb/internal/cli/command"
	"asldb/internal/cli/sessions"
	"asldb/internal/launch"
	"asldb/tui/part/canvas"
	"asldb/tui/part/graph"
)

// addLensTo adds the flags that mark the way of a value.
func (f *graphFlags) addLensTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	command.RowsOf(cmd, &f.Given).Row("recording", ",\nin which --lens follows a value")
	flags.StringVar(&f.lens, "lens", "", "follow the value at `EVENT:PATH` (12:$.id, '#9:$.id'), or at PATH at the end of the run")
	command.Alias(cmd, "trace", "recording")
}

// way returns the way of the value in a definition, nil where no value is followed.
func (f *graphFlags) way(s *command.Streams, definition *asl.StateMachine, glyphs *canvas.Glyphs) (*graph.Way, error) {
	switch {
	case f.lens == "" && f.Spec.Replay.File == "":
		return nil, nil
	case f.Spec.Replay.File == "":
		return nil, errors.New("--lens follows a value through a recorded run: --recording FILE says which")
	case f.lens == "":
		return nil, errors.New("--recording is for --lens, which says which value to follow")
	}
	flags, err := parseLens(f.lens)
	if err != nil {
		return nil, err
	}
	run, session, err := sessions.OpenLens(s, launch.Spec{Replay: f.Spec.Replay})
	if err != nil {
		return nil, err
	}
	defer run.Close()
	lens := sessions.LensOf(session)
	lens.Limit = -1
	way, loss, err := flags.Find(lens, false)
	if err != nil {
		return nil, err
	}
	if loss != nil {
		return wayIn(definition, loss.States(), loss.Edges, glyphs)
	}
	return wayIn(definition, way.States(), way.Edges, glyphs)
}

// parseLens reads EVENT:PATH or PATH, which begins with $.
func parseLens(text string) (*sessions.LensFlags, error) {
	before, after, found := strings.Cut(text, ":")
	if !found || strings.HasPrefix(text, "$") {
		return &sessions.LensFlags{Path: text}, nil
	}
	if strings.Trim(strings.TrimPrefix(before, "#"), "0123456789") != "" || strings.Trim(before, "#0") == "" {
		return nil, fmt.Errorf("--lens is EVENT:PATH, such as '12:$.order.id' or '#9:$.order.id', or PATH, not %q", command.Clip(text, command.MaxQuoted))
	}
	return &sessions.LensFlags{Path: after, Event: before}, nil
}

// wayIn returns the overlay of a way in a definition, whose states are the run's by their paths.
func wayIn(definition *asl.StateMachine, parts []provenance.StatePart, edges []*provenance.Edge, glyphs *canvas.Glyphs) (*graph.Way, error) {
	lookup := func(state *asl.State) *asl.State { return definition.Lookup(state.Path()) }
	for i := range parts {
		if lookup(parts[i].State) == nil {
			return nil, fmt.Errorf("the run of the trace was in the state %q, which the definition does not have", parts[i].State.Path())
		}
	}
	return graph.WayOf(parts, edges, lookup, glyphs), nil
}

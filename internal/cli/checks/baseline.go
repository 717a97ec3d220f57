package checks

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"asldb/engine/source"
	"asldb/internal/cli/command"
	"asldb/internal/project"
)

// baselineFlags are the flags for known problems.
type baselineFlags struct {
	file       string
	write, off bool
}

func (b *baselineFlags) addTo(cmd *cobra.Command) {
	cmd.Flags().Var(command.NewFilled(&b.file, ""), "baseline", "leave out the known problems that this `FILE` lists")
	cmd.Flags().BoolVar(&b.write, "write-baseline", false, "write the problems into the baseline, as known")
	cmd.Flags().BoolVar(&b.off, "no-baseline", false, "ignore the baseline of the project file")
	cmd.MarkFlagsMutuallyExclusive("no-baseline", "baseline")
	cmd.MarkFlagsMutuallyExclusive("no-baseline", "write-baseline")
}

// baselined are the machines of one baseline.
type baselined struct {
	file     *project.Baseline
	indexes  []int // among all machines
	machines []project.Machine
}

// baselines returns the baselines of machines, in the order in which they come.
func (f *validateFlags) baselines(machines []project.Checked) ([]*baselined, error) {
	var list []*baselined
	for i := range machines {
		m := &machines[i]
		name := f.baseline.file
		if name == "" && !f.baseline.off {
			p, err := f.Spec.Definition.Projects.For(m.Given.Name)
			if err != nil {
				return nil, err
			}
			name = p.Baseline()
		}
		if name == "" {
			continue
		}
		at := slices.IndexFunc(list, func(b *baselined) bool { return b.file.Name == name })
		if at < 0 {
			file, err := project.OpenBaseline(name, f.baseline.write)
			if err != nil {
				return nil, err
			}
			at, list = len(list), append(list, &baselined{file: file})
		}
		b := list[at]
		b.indexes = append(b.indexes, i)
		b.machines = append(b.machines, project.Machine{
			Given: m.Given.Name, Name: m.Name, Problems: m.Problems, Whole: f.Spec.Definition.Resource == "",
		})
	}
	return list, nil
}

// withoutKnown returns the machines without the problems of their baselines, which are written before where that is wanted.
func (f *validateFlags) withoutKnown(
	s *command.Streams,
	machines []project.Checked,
	unread error,
) ([]project.Checked, error) {
	if f.baseline.write && unread != nil {
		return nil, fmt.Errorf("%w\nthe baseline is not written", unread)
	}
	list, err := f.baselines(machines)
	if err != nil {
		return nil, err
	}
	if f.baseline.write && len(list) == 0 {
		return nil, errors.New(
			"which baseline? give --baseline FILE with --write-baseline, or name one in the project file",
		)
	}
	for _, b := range list {
		if f.baseline.write {
			if err := f.writeBaseline(s, b); err != nil {
				return nil, err
			}
		} else {
			writeFixed(s, b)
		}
		left := 0
		for i, m := range b.machines {
			known := b.file.Known(m)
			var problems []source.Diagnostic
			for j, d := range m.Problems {
				switch {
				case !known[j]:
					problems = append(problems, d)
				case f.strict || d.Severity != source.Hint:
					left++
				}
			}
			machines[b.indexes[i]].Problems = problems
		}
		if left > 0 && !f.baseline.write {
			fmt.Fprintln(s.Err, b.file.AreKnown(left))
		}
	}
	return machines, nil
}

// writeBaseline writes the problems that would be reported, and says how many have changed.
func (f *validateFlags) writeBaseline(s *command.Streams, b *baselined) error {
	written, said, err := project.WriteBaseline(b.file.Name, func(now *project.Baseline) []project.Machine {
		machines := slices.Clone(b.machines)
		for i, m := range machines {
			known := now.Known(m)
			machines[i].Problems = nil
			for j, d := range m.Problems {
				if f.strict || d.Severity != source.Hint || known[j] { // hints aren't a reason to forget the known ones
					machines[i].Problems = append(machines[i].Problems, d)
				}
			}
		}
		return machines
	})
	if err != nil {
		return err
	}
	b.file = written
	fmt.Fprintln(s.Err, said)
	return nil
}

// writeFixed writes a note about the entries that are fixed.
func writeFixed(s *command.Streams, b *baselined) {
	if lines := b.file.FixedNote(b.machines); len(lines) > 0 {
		fmt.Fprintln(s.Err, strings.Join(lines, "\n"))
	}
}

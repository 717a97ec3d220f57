package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"asldb/engine/asl"
	"asldb/fixtures"
	"asldb/fixtures/check"
	"asldb/fixtures/mockconfig"
	"asldb/fixtures/mocks"
	"asldb/fixtures/starter"
	"asldb/internal/launch"
	"asldb/internal/suite"
	"asldb/internal/visible"
)

const checkLong = `Checks fixtures without a run: states that the definition does not have, results that are never used,
tasks without results, results in a shape that the integration does not return. All cases are checked.

Executions that entries start (asldb) are checked in the same way, with their fixtures.

Without --definition only the file and such executions are checked. Mocks of Step Functions Local
(MockConfigFile.json), sfn-test (*.mock.yaml) and TestState can be checked too. A suite (*.test.yaml) is
checked against the definition that it names.

Exit status:
  0  no errors
  1  the fixtures have errors
  2  a file cannot be read, or the definition is wrong`

func newFixturesCheck(s *streams) *cobra.Command {
	d := &launch.Definition{}
	definition := ""
	cmd := &cobra.Command{
		Use:     "check FILE",
		Short:   "Check fixtures against a definition",
		Long:    checkLong,
		Example: "  asldb fixtures check order.yaml --definition order.asl.json\n  asldb fixtures check MockConfigFile.json --definition order.asl.json",
		Args:    oneFixturesFile,
		RunE:    func(_ *cobra.Command, args []string) error { return checkFixtures(s, d, definition, args[0]) },
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().Var(newFilled(&definition, ""), "definition", "the definition `FILE` to check against")
	addDefinitionFlags(cmd, d)
	return cmd
}

func oneFixturesFile(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("which file? usage: %s", cmd.UseLine())
	}
	return nil
}

// readFixtures reads a fixtures file in any format. What is wrong in it is in findings.
func readFixtures(s *streams, name string) (read *mocks.Read, findings []check.Finding, err error) {
	if name == launch.Stdin {
		return nil, nil, errors.New("the fixtures are a file: other files are found beside it")
	}
	name, data, err := s.files().Read(name)
	if err != nil {
		return nil, nil, err
	}
	read, err = mocks.Load(name, data)
	var own *fixtures.Error
	var foreign *mocks.Error
	found := read.Warnings
	switch {
	case errors.As(err, &own):
		findings = check.Wrong(own)
	case errors.As(err, &foreign):
		found = foreign.Found
	case err != nil:
		return nil, nil, err
	}
	return read, append(findings, check.Diagnosed(read.Source.Name, found)...), nil
}

func checkFixtures(s *streams, d *launch.Definition, definition, name string) error {
	if suite.IsSuite(name) {
		return checkSuite(s, *d, definition, name)
	}
	read, findings, err := readFixtures(s, name)
	if err != nil {
		return err
	}
	var unread error // why the definition cannot be checked against
	if definition != "" && read.Examined != nil {
		var machine *asl.StateMachine
		if machine, unread = openMachine(s, *d, definition); unread == nil {
			findings = check.Join(findings, check.Check(read.Examined, machine))
			if read.Config != nil {
				findings = append(findings, check.Diagnosed(read.Source.Name, read.Config.CheckDefinition(machine))...)
			}
		}
	}
	if read.Examined != nil {
		below := check.Nested(read.Examined, definition, func(name string) (*asl.StateMachine, error) { return d.Nested(s.files(), name) })
		findings = check.Join(findings, below)
	}
	counts := map[check.Level]int{}
	for i := range findings {
		counts[findings[i].Level]++
		if _, err := fmt.Fprintln(s.out, visible.Line(findings[i].String())); err != nil {
			return wrapWrite(err)
		}
	}
	if unread != nil {
		return unread
	}
	if counts[check.Problem] > 0 {
		return &exitError{StatusFailed, nil}
	}
	return nil
}

const convertLong = `Writes fixtures in another form: as asldb's own (YAML), or as a mock configuration for AWS Step Functions
Local (MockConfigFile.json). Parts that the other form cannot express are left out, and listed on standard
error.

The file may be fixtures, a mock configuration, a mock file of sfn-test, or mocks of TestState.`

func newFixturesConvert(s *streams) *cobra.Command {
	var to, output, machine string
	cmd := &cobra.Command{
		Use:     "convert FILE",
		Short:   "Convert fixtures to a mock configuration, or mocks to fixtures",
		Long:    convertLong,
		Example: "  asldb fixtures convert MockConfigFile.json -o order.yaml\n  asldb fixtures convert order.yaml --to mock-config --machine Order",
		Args:    oneFixturesFile,
		RunE:    func(_ *cobra.Command, args []string) error { return convertFixtures(s, args[0], to, output, machine) },
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().Var(newForm(&to, "fixtures", "fixtures|mock-config"), "to", "the form to write")
	cmd.Flags().Var(newFilled(&machine, ""), "machine", "the `NAME` of the state machine in a mock configuration\n(default: the file's name)")
	addOutputTo(cmd, &output)
	completeWords(cmd, "to", "fixtures", "mock-config")
	return cmd
}

func addOutputTo(cmd *cobra.Command, output *string) {
	cmd.Flags().VarP(newFilled(output, ""), "output", "o", "the `FILE` to write; it must not exist (default: standard output)")
}

func convertFixtures(s *streams, name, to, output, machine string) error {
	if to != "fixtures" && to != "mock-config" {
		return fmt.Errorf("--to is fixtures or mock-config, and this is %q", to)
	}
	read, findings, err := readFixtures(s, name)
	if err != nil {
		return err
	}
	for i := range findings {
		fmt.Fprintln(s.err, visible.Line(findings[i].String()))
	}
	switch {
	case read.File == nil:
		return errors.New("the fixtures are wrong")
	case to == "fixtures" && read.Tree == nil:
		return fmt.Errorf("%s has this form already", name)
	case to == "fixtures":
		text := append([]byte("# Converted from "+visible.Line(filepath.Base(name))+", "+read.Format.String()+".\n"), fixtures.TreeYAML(read.Tree)...)
		return writeNew(s, output, text)
	}
	if machine == "" {
		machine, _, _ = strings.Cut(filepath.Base(name), ".")
	}
	cases, err := casesOf(read.File)
	if err != nil {
		return err
	}
	data, notes := mockconfig.Write(machine, cases)
	for _, note := range notes {
		fmt.Fprintln(s.err, visible.Line(note))
	}
	return writeNew(s, output, data)
}

// casesOf returns the cases of a file as test cases; a file without cases is one.
func casesOf(file *fixtures.File) ([]mockconfig.Case, error) {
	names := file.Cases()
	if len(names) == 0 {
		lists, err := file.Lists()
		return []mockconfig.Case{{Name: "Fixtures", Lists: lists}}, err
	}
	cases := make([]mockconfig.Case, len(names))
	for i, name := range names {
		chosen, err := file.Case(name)
		if err != nil {
			return nil, err
		}
		lists, err := chosen.Lists()
		if err != nil {
			return nil, err
		}
		cases[i] = mockconfig.Case{Name: name, Lists: lists}
	}
	return cases, nil
}

const initLong = `Writes a first fixtures file for a definition: an input with the members that the states read, and for
each task its Resource, the errors that its state handles, and a result in the shape that the integration
returns, with the members that later states read.

The values are placeholders of the right type. They lead through the Choice states to a successful end if
there is one: asldb runs the definition in memory to find it.`

func newFixturesInit(s *streams) *cobra.Command {
	d := &launch.Definition{}
	output := ""
	cmd := &cobra.Command{
		Use:     "init DEFINITION",
		Short:   "Write a first fixtures file for a definition",
		Long:    initLong,
		Example: "  asldb fixtures init order.asl.json -o order.yaml\n  asldb order.asl.json --fixtures order.yaml",
		Args:    exactlyOneDefinition,
		RunE: func(_ *cobra.Command, args []string) error {
			text, err := openText(s, *d, args[0])
			if err != nil {
				return err
			}
			machine, err := text.Parse()
			if err != nil {
				return s.definitionError(err)
			}
			draft := starter.Draft(machine)
			draft.Comments = append([]string{"Fixtures for " + visible.Line(filepath.Base(text.Source.Name)) + "."}, draft.Comments...)
			return writeNew(s, output, draft.YAML())
		},
		ValidArgsFunction: completeDefinition,
	}
	cmd.Flags().SortFlags = false
	addOutputTo(cmd, &output)
	addDefinitionFlags(cmd, d)
	return cmd
}

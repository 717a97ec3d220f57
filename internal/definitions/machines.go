package definitions

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"asldb/engine/embedded"
	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/files"
	"asldb/internal/wording"
	"asldb/internal/work"
)

// ChoiceError says that a file or folder has several definitions, and the Spec does not tell which is meant.
type ChoiceError struct {
	// File is the file or folder, as it was named.
	File string
	// Definitions are those that it has, with their files and resources.
	Definitions []Definition
	// Folder is set where File is one.
	Folder bool
}

// Error implements error: the definitions, and the way to name one.
func (e *ChoiceError) Error() string {
	if !e.Folder {
		names := value.Each(e.Definitions, func(each Definition) string { return each.Resource })
		return wording.Line(e.File) + " has these state machines: " + wording.Line(strings.Join(names, ", ")) + "; say which with --resource NAME"
	}
	var lines strings.Builder
	fmt.Fprintf(&lines, "the folder %s has %d definitions; give one of them:", wording.Line(e.File), len(e.Definitions))
	for i := range e.Definitions {
		lines.WriteString("\n  " + wording.Line(e.Definitions[i].Label()))
		if stack := e.Definitions[i].Stack; stack != "" {
			lines.WriteString("  (stack " + wording.Line(stack) + ")")
		}
	}
	return lines.String()
}

// Label returns the definition as it is given on a command line: its file and resource.
func (d *Definition) Label() string {
	if d.Resource == "" {
		return d.File
	}
	return d.File + " --resource " + d.Resource
}

// choice returns the error about several state machines in the definition's file.
func (d *Definition) choice(names []string) *ChoiceError {
	return &ChoiceError{File: d.File, Definitions: d.named(names)}
}

// named returns the definitions of those names in the definition's file.
func (d *Definition) named(names []string) []Definition {
	list := make([]Definition, len(names))
	for i, name := range names {
		list[i] = *d
		list[i].Resource = name
	}
	return list
}

// only makes the definition in a folder the one that is meant, where the folder has only one.
func (d *Definition) only(reader files.Files) error {
	found, skipped, err := d.Search(reader)
	switch {
	case err != nil:
		return err
	case len(found) > 1:
		return &ChoiceError{File: d.File, Definitions: found, Folder: true}
	case len(found) == 0:
		return &EmptyError{d.File, d.Resource, skipped}
	}
	d.File, d.Resource = found[0].File, found[0].Resource
	return nil
}

// EmptyError says that a folder has no definitions.
type EmptyError struct {
	Folder string
	// Resource is the name that was looked for; empty: any.
	Resource string
	// Skipped are the machines that cannot be read.
	Skipped []Skipped
}

// Skipped is a machine in a file that is not read, with the reason.
type Skipped struct {
	File string
	embedded.Skipped
}

// String returns the machine, or the file where its machines have no names yet, with the reason.
func (s Skipped) String() string {
	if s.Name == "" {
		return wording.Line(s.File + ": " + s.Reason)
	}
	return wording.Line(s.File + " (" + s.Name + "): " + s.Reason)
}

// Error implements error: what was looked for, and what to give where a program writes the definitions.
func (e *EmptyError) Error() string {
	if e.Resource != "" {
		return "the folder " + wording.Line(e.Folder) + " has no state machine " + strconv.Quote(e.Resource)
	}
	if len(e.Skipped) > 0 {
		text := "the folder " + wording.Line(e.Folder) + " has no definition that can be read:"
		for _, s := range e.Skipped {
			text += "\n  " + s.String()
		}
		return text
	}
	return "the folder " + wording.Line(e.Folder) + " has no definition: no JSON or YAML file with StartAt and " +
		"States, no template with a state machine, no stepFunctions in a serverless.yml and no aws_sfn_state_machine " +
		"in a .tf or .tf.json file"
}

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return name != files.Stdin && err == nil && info.IsDir()
}

// Machines returns the definitions that File, a file or a folder, has: one for each state machine of a template. Resource, where
// it is set, is the only name that is meant. A file that is none of those known, or cannot be read, is one definition, which
// cannot be opened. Of a folder, a file that a template names for its machine, or a part of it, is not a separate one.
func (d *Definition) Machines(reader files.Files) ([]Definition, error) {
	list, _, err := d.Search(reader)
	return list, err
}

// Search returns the definitions of [Definition.Machines], and the machines that are left out.
func (d *Definition) Search(reader files.Files) (list []Definition, skipped []Skipped, err error) {
	if !isFolder(d.File) {
		list, skipped = d.machinesOfFile(reader)
		return list, skipped, nil
	}
	walked, err := search(d.File, extensions)
	if err != nil {
		return nil, nil, err
	}
	names := walked.files
	if d.Resource == "" {
		skipped = walked.unmade
	}
	found := make([]foundIn, len(names))
	work.Each(context.Background(), len(names), 0, func(i int) {
		one := *d
		one.File = names[i]
		found[i] = one.find(reader)
	})
	used := make(map[string]bool)
	for i := range found {
		for _, name := range found[i].used {
			// The files of one folder are a module, and each is read with the others.
			if !embedded.IsTerraform(name) || filepath.Dir(name) != filepath.Dir(names[i]) {
				used[filepath.Clean(name)] = true
			}
		}
	}
	for i := range found {
		if used[filepath.Clean(names[i])] || found[i].plain && d.Resource != "" {
			continue
		}
		list, skipped = append(list, found[i].definitions...), append(skipped, found[i].skipped...)
	}
	nameStacks(reader, list)
	return list, skipped, nil
}

// InFile returns the definitions in File, a file of any kind, with their texts where those can be read; none where it is neither a
// definition nor a template with one, or cannot be read.
func (d *Definition) InFile(reader files.Files) []Definition {
	found, c := d.findRead(reader)
	if found.plain && c.root != nil && d.Resource == "" { // it is not read again
		if values, err := d.values(reader); err == nil {
			found.definitions[0].Text, _ = substituted(c.file, c.root, values) // what is wrong, Open tells
		}
	}
	return found.definitions
}

// machinesOfFile returns the definitions in one file. Where it has none that can be read, the first one that cannot tells why.
func (d *Definition) machinesOfFile(reader files.Files) ([]Definition, []Skipped) {
	if d.Resource == "" && d.File != files.Stdin {
		if c, err := contentsOf(reader, d.File, d.Again); err == nil && c.container != nil {
			names, skipped := c.container.StateMachines(), d.skipped(c)
			switch {
			case len(names) > 1 || len(names) == 1 && len(skipped) > 0:
				list, more := d.openEach(names, reader)
				if skipped = append(skipped, more...); len(list) > 0 {
					return list, skipped
				}
				return d.named(names[:1]), slices.DeleteFunc(skipped, func(s Skipped) bool { return s.Name == names[0] })
			case len(skipped) > 1:
				return d.named([]string{skipped[0].Name}), skipped[1:]
			}
		}
	}
	return []Definition{*d}, nil
}

// skipped returns the machines of the definition's file that are not read.
func (d *Definition) skipped(c *contents) (list []Skipped) {
	if partial, ok := c.container.(embedded.Partial); ok {
		for _, s := range partial.Skipped() {
			if d.Resource == "" || d.Resource == s.Name {
				list = append(list, Skipped{d.File, s})
			}
		}
	}
	return list
}

// foundIn is the part of a search that is about one file.
type foundIn struct {
	definitions []Definition
	// plain: the file itself is the definition.
	plain   bool
	skipped []Skipped
	// used are the files that its definitions are written in.
	used []string
}

// find returns the definitions in one file of a folder; a file that has none is passed over.
func (d *Definition) find(reader files.Files) foundIn {
	found, _ := d.findRead(reader)
	return found
}

// findRead is find with what was read.
func (d *Definition) findRead(reader files.Files) (foundIn, *contents) {
	named := namedAsDefinition(d.File)
	_, data, err := reader.Read(d.File)
	if err != nil || !named && !MayHold(data) {
		return foundIn{}, nil
	}
	c, err := contentsOf(reader, d.File, d.Again)
	var wrong *InvalidError
	switch {
	case errors.As(err, &wrong): // an error in a .tf file: Terraform reports it, too
		return foundIn{definitions: []Definition{*d}}, nil
	case err != nil:
		return foundIn{}, nil
	case c.container == nil:
		if named || isDefinition(c.root) || c.root == nil && mayBeDefinition(data) {
			return foundIn{definitions: []Definition{*d}, plain: true}, c
		}
		return foundIn{}, nil
	}
	names := c.container.StateMachines()
	if d.Resource != "" {
		names = slices.DeleteFunc(names, func(name string) bool { return name != d.Resource })
	}
	found := foundIn{skipped: d.skipped(c)}
	var mutex sync.Mutex
	recording := reader
	recording.Opened = func(name string) {
		mutex.Lock()
		defer mutex.Unlock()
		found.used = append(found.used, name)
	}
	list, more := d.openEach(names, recording)
	found.definitions, found.skipped = list, append(found.skipped, more...)
	found.used = slices.DeleteFunc(found.used, func(name string) bool { return name == d.File })
	return found, c
}

// openEach reads the machines of those names in the file; those that a deployment does not make are skipped.
func (d *Definition) openEach(names []string, reader files.Files) (list []Definition, skipped []Skipped) {
	for _, one := range d.named(names) {
		text, err := one.Open(reader)
		var left *embedded.SkipError
		if errors.As(err, &left) {
			skipped = append(skipped, Skipped{d.File, embedded.Skipped{Name: one.Resource, Reason: left.Reason}})
			continue
		}
		if err == nil {
			one.Text = text
		}
		list = append(list, one)
	}
	return list, skipped
}

// namedAsDefinition reports whether the name of a file says that it is a definition.
func namedAsDefinition(name string) bool {
	name = strings.ToLower(filepath.Base(name))
	return strings.HasSuffix(name, ".asl") || strings.Contains(name, ".asl.")
}

// isDefinition reports whether a tree has the members of a definition.
func isDefinition(root *source.Node) bool {
	return root != nil && root.Get("StartAt") != nil && root.Get("States") != nil
}

// mayBeDefinition reports whether a text that cannot be read is probably a definition: its first lines have one's first members.
func mayBeDefinition(data []byte) bool {
	head := string(data[:min(len(data), 2000)])
	for _, word := range []string{"StartAt", "States"} {
		if !strings.Contains(head, word) {
			return false
		}
	}
	return !strings.Contains(head, "Resources")
}

// Package embedded has the words for definitions of state machines inside other files: templates of CloudFormation,
// configurations of the Serverless Framework and of Terraform.
package embedded

import (
	"cmp"
	"fmt"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/source"
)

// Container is a file with the definitions of state machines that have names.
type Container interface {
	// StateMachines returns the names of those that have a definition, in the order of the text.
	StateMachines() []string
	// Definition returns the definition of a state machine. It is nil when there is an error among the problems, or err: a
	// *[NameError], a *[SkipError], or an error of Options.Open.
	Definition(o Options) (found *Definition, problems []source.Diagnostic, err error)
}

// Partial is a Container with machines that it cannot give the definition of, or that a deployment does not make.
type Partial interface {
	// Skipped returns them, in the order of the text.
	Skipped() []Skipped
}

// Skipped is a machine that is not read, with the reason.
type Skipped struct{ Name, Reason string }

// SkipError says that a definition is not read: a deployment does not make the machine, or the text is known only to the
// program that deploys it. The container itself may be right.
type SkipError struct{ Reason string }

// Error implements error.
func (e *SkipError) Error() string { return notRead + e.Reason }

const notRead = "not read: "

// Options holds the values that a container does not have itself.
type Options struct {
	// Resource is the name of the state machine; it may be empty where the container has only one.
	Resource string
	// Values of parameters and references override the container's.
	Values source.Substitutions
	// Open reads a file that the container names, relative to it. Nil: there are no such files.
	Open func(name string) (*source.File, error)
}

// Definition is the definition of a state machine as found in a container.
type Definition struct {
	// Name is the name of its resource.
	Name string
	// File is the text that the places of Root belong to: the container's, or the text of a file that it names.
	File *source.File
	Root *source.Node
	// Express: the machine is of the type EXPRESS.
	Express    bool
	Deployment asl.Deployment
	// Functions are the Lambda functions of the container with a Timeout, by the texts for them in the definition.
	Functions map[string]Function
}

// Express is the type of a state machine that is not STANDARD, as containers write it.
const Express = "EXPRESS"

// NameError says that a container does not tell which definition is meant.
type NameError struct {
	Container string   // the word for it: "template"
	Machine   string   // the word for a state machine in it; empty: "state machine"
	Wanted    string   // the name; empty: none was given
	Names     []string // of the container's state machines
}

// Error implements error.
func (e *NameError) Error() string {
	if len(e.Names) == 0 {
		machine := cmp.Or(e.Machine, "state machine")
		return fmt.Sprintf("the %s has no %s", e.Container, machine)
	}
	has := "has these state machines: " + strings.Join(e.Names, ", ")
	if e.Wanted == "" {
		return "the " + e.Container + " " + has + "; say which with --resource NAME"
	}
	return fmt.Sprintf("the %s has no state machine %q; it %s", e.Container, e.Wanted, has)
}

// Command asldb is a debugger for state machines in the Amazon States Language.
package main

import (
	"os"

	"asldb/internal/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

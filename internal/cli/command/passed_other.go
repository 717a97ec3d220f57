//go:build !unix

package command

import "os"

// passed does nothing: there are no signals to wait for.
func passed(chan os.Signal) {}

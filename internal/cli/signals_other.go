//go:build !unix

package cli

import "os"

// passed does nothing: there are no signals to wait for.
func passed(chan os.Signal) {}

// The command exhaustive with a newer golang.org/x/tools than its own module pins, which current Go does not build:
//
//	go tool -modfile=.ci/exhaustive.mod exhaustive ./...
//
// It is written by hand: go mod tidy would take in what asldb itself requires.
module asldb/.ci

go 1.26.0

tool github.com/nishanths/exhaustive/cmd/exhaustive

require (
	github.com/nishanths/exhaustive v0.12.0 // indirect
	golang.org/x/mod v0.42.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/tools v0.52.0 // indirect
)

package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/pflag"

	"asldb/internal/executions"
)

// Service is the consent to call Step Functions once, and how it is called.
type Service struct {
	connection executions.Connection
	region     string
	yes        bool
}

// AddTo adds the flags.
func (c *Service) AddTo(flags *pflag.FlagSet) {
	flags.BoolVarP(&c.yes, "yes", "y", false, "call Step Functions without asking")
	flags.Var(NewFilled(&c.region, ""), "region", "the AWS `REGION` (default: the AWS configuration's)")
	flags.Var(NewFilled(&c.connection.Profile, ""), "profile", "the `NAME` of a profile of the AWS configuration")
	flags.Var(NewFilled(&c.connection.Endpoint, ""), "endpoint-url", "call the API at this `URL` instead of AWS")
}

// Allowed reports whether the service may be called: by the flag, or by a yes on the terminal to a sentence that says
// what is sent.
func (c *Service) Allowed(s *Streams, sends string) (bool, error) {
	if c.yes {
		return true, nil
	}
	in, isFile := s.In.(*os.File)
	out, isScreen := s.Err.(*os.File)
	if !isFile || !isScreen || !term.IsTerminal(in.Fd()) || !term.IsTerminal(out.Fd()) {
		return false, nil
	}
	fmt.Fprintf(out, "%s\nCall it? [y/N] ", sends)
	answer, err := bufio.NewReader(in).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return false, fmt.Errorf("cannot read whether the call is allowed: %w", err)
	}
	answer = strings.ToLower(strings.TrimSpace(answer))
	return answer == "y" || answer == "yes", nil
}

// Connect finds the credentials.
func (c *Service) Connect(ctx context.Context) (*executions.Client, error) {
	return executions.Connect(ctx, c.connection, executions.ARN{Region: c.region})
}

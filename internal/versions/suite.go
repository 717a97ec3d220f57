package versions

import (
	"context"
	"errors"

	"asldb/engine"
	"asldb/engine/debug"
	"asldb/internal/definitions"
	"asldb/internal/launch"
	"asldb/internal/suite"
	"asldb/internal/suiterun"
)

// recordedCase is a case of a suite: its fixtures, history or trace give the results.
type recordedCase struct {
	of  *suite.Case
	ctx context.Context
}

func openSuite(name string, o *Options) ([]recording, error) {
	_, data, err := o.Files.Read(name)
	if err != nil {
		return nil, err
	}
	read, err := suite.Load(name, data)
	if err != nil {
		return nil, err
	}
	var list []recording
	for _, c := range read.Cases {
		if c.Skip == "" {
			list = append(list, &recordedCase{c, o.context()})
		}
	}
	return list, nil
}

func (c *recordedCase) name() string { return c.of.Name }

func (c *recordedCase) close() {}

func (c *recordedCase) run(machine *engine.Machine, v variant) (*ran, error) {
	m := &suiterun.Machine{
		Definition: definitions.Definition{Machine: machine.Definition(), Compiled: machine}, Dialect: machine.Dialect(), Limits: engine.ServiceLimits(),
	}
	spec, err := suiterun.Spec(c.of, m, suiterun.CaseOptions{Interrupt: c.ctx.Err})
	if err != nil {
		return nil, err
	}
	spec.Unchecked = true
	if v.other {
		seed := int64(2)
		spec.Seed = &seed
	}
	run, err := launch.New(spec)
	if err != nil {
		_ = run.Close()
		return nil, err
	}
	defer run.Close()
	if replay := run.Replay; replay != nil {
		found := replay.Verification
		if found == nil {
			return nil, errors.New("its trace cannot be run again")
		}
		found.Session.GoTo(found.Found.Len())
		return ended(found.Session, found.Stop, missing)
	}
	stop, err := suiterun.Carry(c.ctx, c.of, run)
	if err != nil && stop.Reason != debug.StoppedForAnswer && stop.Reason != debug.StoppedBySource {
		return nil, err
	}
	return ended(run.Session, stop, missing)
}

func missing(*engine.TaskRequest) string { return "the case has no result for it" }

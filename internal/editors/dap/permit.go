package dap

import (
	"errors"
	"fmt"

	"github.com/google/go-dap"

	"asldb/fixtures"
	"asldb/internal/launch"
	"asldb/internal/store"
)

// eventNeedsConsent says that the calls of a fixtures file are not allowed, so that an extension can ask the user and run
// "asldb allow FILE".
const eventNeedsConsent = "asldb/needsConsent"

// needsConsentEvent is the event eventNeedsConsent.
type needsConsentEvent struct {
	dap.Event
	Body needsConsentBody `json:"body"`
}

type needsConsentBody struct {
	// File is the path of the fixtures file, Calls are its calls with their places, Watched the files whose change ends the consent.
	// Reason says what has changed since the user allowed them, where they did.
	File    string   `json:"file"`
	Calls   []string `json:"calls"`
	Watched []string `json:"watched"`
	Reason  string   `json:"reason,omitempty"`
}

// permit returns the permission for the calls of fixtures: those that the user has allowed by "asldb allow". The arguments of launch
// are in a file of the repository, and aren't consent: with allowLive the calls are demanded, and launch fails where
// they are not allowed; with allowLive false nothing is called.
func (a *adapter) permit(given *launchArguments, file *fixtures.File, bound *fixtures.Source) (fixtures.Permission, error) {
	if given.AllowLive != nil && !*given.AllowLive || !bound.WouldCall() {
		return fixtures.Permission{}, nil
	}
	reach := file.Reach()
	subject := launch.Subject(file, reach)
	gate := &store.Gate{}
	if a.options.State != "" {
		gate.Store = store.In(a.options.State)
	}
	if gate.Remembered(subject) {
		return reach.Permission(), nil
	}
	_, _, err := gate.Allows(subject)
	body := needsConsentBody{File: subject.Path, Watched: subject.Watched()}
	for _, c := range subject.Calls {
		body.Calls = append(body.Calls, c.Text+" ("+c.Place+")")
	}
	var refused *store.NotAllowedError
	if errors.As(err, &refused) {
		body.Reason = (&store.Question{Subject: subject, Changed: refused.Changed}).ChangedWords()
	}
	a.out.event(eventNeedsConsent, &needsConsentEvent{Body: body})
	if given.AllowLive != nil {
		return fixtures.Permission{}, fmt.Errorf("%s calls programs or endpoints, which you have not allowed: run asldb allow %q, or set allowLive to false", subject.Name, subject.Path)
	}
	a.print("console", subject.Name+" has calls that are not allowed, and they are not made. To allow them, run: asldb allow "+fmt.Sprintf("%q", subject.Path))
	return fixtures.Permission{}, nil
}

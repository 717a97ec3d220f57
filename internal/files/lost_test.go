package files

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Where the system drops changes, any file may be another one; another error ends the watching.
func TestLost(t *testing.T) {
	w, err := New()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = w.Close() }()
	ctx, stop := context.WithTimeout(context.Background(), 20*time.Second)
	defer stop()
	go func() { w.notify.Errors <- fsnotify.ErrEventOverflow }()
	change, err := w.Next(ctx)
	if err != nil || !change.Lost || change.Structure || len(change.Files) > 0 {
		t.Errorf("%+v, %v", change, err)
	}
	broken := errors.New("broken")
	go func() { w.notify.Errors <- broken }()
	if _, err := w.Next(ctx); !errors.Is(err, broken) || !strings.Contains(err.Error(), "any more") {
		t.Errorf("err = %v", err)
	}
}

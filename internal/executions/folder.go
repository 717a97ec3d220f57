package executions

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/aws/smithy-go"

	"asldb/engine/value"
	"asldb/internal/files"
	"asldb/internal/wording"
	"asldb/recorder"
)

// Folder saves executions: the history of each in a separate file, the definitions in the folder definitions.
type Folder struct {
	// Dir is the folder; it is made where it is not there.
	Dir string
	// Redactions are the paths of values that are left out.
	Redactions []*recorder.Redaction
	// Nested: the executions that tasks started are fetched, too. MapRuns: so are the executions of Map Runs.
	Nested, MapRuns bool
	// Progress is called while an execution is fetched; Saved for each that is in the folder then. They may be nil.
	Progress func(arn ARN, events int)
	Saved    func(Saved)
	// Warn is called for what is left out although the rest is fetched; it may be nil.
	Warn func(error)

	depth   int // of the executions that others started
	started int // their number
	seen    map[string]bool
	found   map[string]bool // the paths of redactions that have led to something
	fetched int
}

// Saved is an execution in the folder.
type Saved struct {
	ARN    ARN
	File   string // the name of the file with its history
	Status string
	Events int
	// Skipped: the file was there already, with the whole history.
	Skipped bool
	// Withheld says why there is no definition; else nil.
	Withheld error
	// Err says why there is no history; else nil. File is empty then.
	Err error
}

// Unfound returns the paths of redactions that have led to nothing in any execution that was fetched.
func (f *Folder) Unfound() []string {
	var paths []string
	for _, r := range f.Redactions {
		if f.fetched > 0 && !f.found[r.String()] {
			paths = append(paths, r.String())
		}
	}
	return paths
}

// Add fetches an execution into the folder, with those that it started. The history in the folder is replaced: the execution may have been redriven.
func (f *Folder) Add(ctx context.Context, c *Client, arn ARN) error {
	return f.add(ctx, c, arn, "", nil)
}

// AddAll fetches the executions of a list. Executions that are in the folder with their whole history are skipped, so
// that an interrupted fetch continues. An execution that does not exist any more, or cannot be read, does not end it;
// what would end the others, too, does.
func (f *Folder) AddAll(ctx context.Context, c *Client, items []Item) error {
	for i := range items {
		if err := f.addItem(ctx, c, &items[i], ""); err != nil {
			return err
		}
	}
	return nil
}

// The bounds of executions that others started: results of tasks name them, and may name any.
const (
	maxDepth   = 20
	maxStarted = 10_000
)

// addItem fetches an execution of a list, or with within one that another execution started.
func (f *Folder) addItem(ctx context.Context, c *Client, item *Item, within string) error {
	if within != "" && !f.seen[item.ARN.Text] {
		if f.depth >= maxDepth || f.started >= maxStarted {
			detail := fmt.Sprintf("executions that others started are fetched to a depth of %d, and at most %d", maxDepth, maxStarted)
			f.report(Saved{ARN: item.ARN, Status: item.Status, Err: &Error{Reason: Excessive, About: item.ARN.Text, detail: detail}})
			return nil
		}
		f.depth++
		f.started++
		defer func() { f.depth-- }()
	}
	err := f.add(ctx, c, item.ARN, within, item)
	if concerns(err, within != "") {
		f.report(Saved{ARN: item.ARN, Status: item.Status, Err: err})
		return nil
	}
	return err
}

// concerns reports whether an error is about one execution, and not about the others. started is set where another execution started it.
func concerns(err error, started bool) bool {
	var wrong *Error
	if !errors.As(err, &wrong) {
		return false
	}
	switch wrong.Reason {
	case Missing, Encrypted, Express, Incomplete, Excessive:
		return true
	case Denied, Unreachable: // the permission may be for the state machine alone, and the region another one
		return started
	case Other:
		var service smithy.APIError
		return errors.As(wrong.Err, &service) && service.ErrorCode() == "InvalidArn"
	case Throttled, Expired, BadCredentials, NoMachine:
	}
	return false
}

func (f *Folder) report(s Saved) {
	if f.Saved != nil {
		f.Saved(s)
	}
}

// add fetches an execution into a folder within the folder. item is its entry in a list, nil where it was named by the user.
func (f *Folder) add(ctx context.Context, c *Client, arn ARN, within string, item *Item) error {
	if f.seen == nil {
		f.seen, f.found = make(map[string]bool), make(map[string]bool)
	}
	if f.seen[arn.Text] {
		return nil
	}
	f.seen[arn.Text] = true
	name, before, err := f.fileOf(arn, within)
	if err != nil {
		return err
	}
	if item != nil && before != nil && before.whole(item, f) {
		f.report(Saved{ARN: arn, File: name, Status: before.status, Events: before.events, Skipped: true})
		return nil
	}
	x, err := c.Execution(ctx, arn, func(events int) {
		if f.Progress != nil {
			f.Progress(arn, events)
		}
	})
	if err != nil {
		return err
	}
	nested, runs := x.Nested(), x.MapRuns() // before values are redacted
	f.redact(x)
	// The history comes last: a fetch that ends before it begins again with this execution.
	if f.MapRuns {
		if err := f.addMapRuns(ctx, c, arn, runs); err != nil {
			return err
		}
	}
	if f.Nested {
		if err := f.addNested(ctx, c, arn, nested); err != nil {
			return err
		}
	}
	if err := f.save(x, name); err != nil {
		return err
	}
	f.report(Saved{ARN: arn, File: name, Status: x.Status(), Events: len(x.Events), Withheld: x.Withheld})
	return nil
}

func (f *Folder) redact(x *Execution) {
	f.fetched++
	unfound := make(map[string]bool)
	for _, path := range x.Redact(f.Redactions) {
		unfound[path] = true
	}
	for _, r := range f.Redactions {
		if !unfound[r.String()] {
			f.found[r.String()] = true
		}
	}
}

// parsed reads the ARN of an execution or a Map Run that another one started. One that cannot be read, as of a mocked result, is left out
// with a warning.
func (f *Folder) parsed(parent ARN, text string) (ARN, bool) {
	arn, err := ParseARN(text)
	if err != nil {
		f.warn(fmt.Errorf("%s: what it started is left out: %w", parent.Name, err))
	}
	return arn, err == nil
}

func (f *Folder) warn(err error) {
	if f.Warn != nil {
		f.Warn(err)
	}
}

func (f *Folder) addNested(ctx context.Context, c *Client, parent ARN, arns []string) error {
	for _, text := range arns {
		arn, ok := f.parsed(parent, text)
		if !ok {
			continue
		}
		if err := f.addItem(ctx, c, &Item{ARN: arn}, NestedFolder); err != nil {
			return err
		}
	}
	return nil
}

func (f *Folder) addMapRuns(ctx context.Context, c *Client, parent ARN, arns []string) error {
	for _, text := range arns {
		arn, ok := f.parsed(parent, text)
		if !ok {
			continue
		}
		left := func(err error) { f.warn(fmt.Errorf("%s: an execution of a Map Run is left out: %w", parent.Name, err)) }
		children, err := c.Search(ctx, Query{Of: arn, LeftOut: left}, nil)
		if concerns(err, true) {
			left(err)
		} else if err != nil {
			return err
		}
		for i := range children {
			if err := f.addItem(ctx, c, &children[i], filepath.Join(MapRunsFolder, fileName(parent.Name))); err != nil {
				return err
			}
		}
	}
	return nil
}

// save writes the history and the definition.
func (f *Folder) save(x *Execution, name string) error {
	definition := ""
	if d := x.Definition; d != nil {
		definition = filepath.Join(f.Dir, DefinitionsFolder, fileName(d.Name)+"-"+digest(d.Text)+".asl.json")
		if err := write(definition, []byte(d.Text)); err != nil {
			return err
		}
	}
	return write(name, f.document(x, name, definition))
}

// document is the text of a history: the answer of GetExecutionHistory with all events, one in a line, and members about the
// execution before them.
func (f *Folder) document(x *Execution, name, definition string) []byte {
	members := []value.Member{
		{Key: "executionArn", Value: value.String(x.ARN.Text)},
		{Key: "status", Value: value.String(x.Status())},
		{Key: "redriveCount", Value: value.Int(int64(x.Redrives))},
		{Key: "eventCount", Value: value.Int(int64(len(x.Events)))},
	}
	if d := x.Definition; d != nil {
		members = append(members, value.Member{Key: "stateMachineArn", Value: value.String(d.StateMachine)})
		if d.Revision != "" {
			members = append(members, value.Member{Key: "revisionId", Value: value.String(d.Revision)})
		}
		if d.MapRun != "" {
			members = append(members, value.Member{Key: "mapRunArn", Value: value.String(d.MapRun)})
		}
		if relative, err := filepath.Rel(filepath.Dir(name), definition); err == nil {
			members = append(members, value.Member{Key: "definition", Value: value.String(filepath.ToSlash(relative))})
		}
	}
	if len(f.Redactions) > 0 {
		members = append(members, value.Member{Key: "redactions", Value: f.redactions()})
	}
	var out bytes.Buffer
	out.WriteString("{\n")
	for _, m := range members {
		out.Write(value.AppendQuoted(nil, m.Key))
		out.WriteString(": " + value.Compact(m.Value) + ",\n")
	}
	out.WriteString(eventsKey + "[\n")
	for i, event := range x.Events {
		if i > 0 {
			out.WriteString(",\n")
		}
		out.Write(value.Append(nil, event))
	}
	out.WriteString("\n]\n}\n")
	return out.Bytes()
}

// eventsKey begins the line after which the events of a file are.
const eventsKey = `"events": `

func (f *Folder) redactions() *value.Array {
	paths := value.Each(f.Redactions, func(r *recorder.Redaction) value.Value { return value.String(r.String()) })
	return value.NewArray(paths)
}

// head is what a file that is in the folder says before its events.
type head struct {
	arn, status, definition string
	redrives, events        int
	redactions              value.Value
}

// whole reports whether a file has the whole history of an execution, redacted as this fetch has it.
func (h *head) whole(item *Item, f *Folder) bool {
	if h.status == "RUNNING" || item.Redrives > h.redrives || item.Status == "RUNNING" {
		return false
	}
	var wanted value.Value
	if len(f.Redactions) > 0 {
		wanted = f.redactions()
	}
	return (h.redactions == nil) == (wanted == nil) && (wanted == nil || value.Equal(h.redactions, wanted))
}

// maxHead bounds the part of a file before its events, in bytes.
const maxHead = 64 << 10

// readHead reads the head of a file; nil where it isn't a file of a fetch.
func readHead(name string) (*head, error) {
	file, _, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxHead))
	if err != nil {
		return nil, err
	}
	before, _, ok := bytes.Cut(text, []byte("\n"+eventsKey))
	if !ok {
		return nil, nil
	}
	parsed, err := value.Parse(append(bytes.TrimSuffix(before, []byte(",")), '}'), value.Limits{})
	object, isObject := parsed.(*value.Object)
	if err != nil || !isObject {
		return nil, nil
	}
	number := func(key string) int {
		n, _ := object.Get(key).(value.Number)
		i, _ := n.Int64()
		return int(i)
	}
	return &head{
		arn: object.Text("executionArn"), status: object.Text("status"), redrives: number("redriveCount"), events: number("eventCount"),
		definition: object.Text("definition"), redactions: object.Get("redactions"),
	}, nil
}

// DefinitionOf returns the name of the file with the definition of a fetched execution, by the name of the file with its history;
// empty where there is none.
func DefinitionOf(name string) string {
	h, err := readHead(name)
	if err != nil || h == nil || h.definition == "" {
		return ""
	}
	file := files.Beside(name, h.definition)
	if _, err := os.Stat(file); err != nil || files.RootOf(name).Check(file) != nil {
		return ""
	}
	return file
}

// fileOf returns the name of the file of an execution, and the head of the file where it is there. Another file of this name is left
// as it is: the name gets a part of the ARN's digest.
func (f *Folder) fileOf(arn ARN, within string) (string, *head, error) {
	plain := filepath.Join(f.Dir, within, fileName(arn.Name))
	if within == NestedFolder {
		plain = filepath.Join(f.Dir, within, fileName(arn.Machine), fileName(arn.Name))
	}
	for _, name := range []string{plain + Suffix, plain + "-" + digest(arn.Text) + Suffix} {
		h, err := readHead(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return name, nil, nil
		case err != nil:
			return "", nil, err
		case h != nil && h.arn == arn.Text:
			return name, h, nil
		}
	}
	return "", nil, fmt.Errorf("%s is there already and is not a fetched history: name another folder with --output", plain+Suffix)
}

// fileName makes a file's name of the name of an execution or a state machine.
func fileName(name string) string {
	clean := strings.Map(func(r rune) rune {
		switch {
		case r >= '0' && r <= '9', r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r == '-', r == '_', r == '.':
			return r
		}
		return '_'
	}, name)
	if strings.HasPrefix(clean, ".") {
		clean = "_" + clean[1:]
	}
	if strings.HasSuffix(clean, ".") { // Windows leaves it out
		clean = clean[:len(clean)-1] + "_"
	}
	if len(clean) > maxName {
		clean = clean[:maxName] + "-" + digest(name)
	}
	if stem, _, _ := strings.Cut(clean, "."); device().MatchString(stem) {
		clean = "_" + clean
	}
	return clean
}

// maxName bounds the name of a file before its ending: systems allow 255 bytes with all that is added.
const maxName = 150

// device matches the names of devices of Windows, which no file there can have, whatever ending is behind them.
var device = wording.Pattern(`(?i)^(con|prn|aux|nul|com[0-9]|lpt[0-9])$`)

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:4])
}

// write writes a file as a whole, for its owner alone: histories have data.
func write(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	return files.Replace(name, 0o600, data)
}

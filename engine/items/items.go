// Package items reads the datasets of distributed Map states: the content of an ItemReader's objects, as the
// items to go through. It does no I/O. A [Reading] says which object it needs next and is given its
// content, until it has every item.
//
// The formats are the ones of Step Functions' ReaderConfig: JSON, JSON Lines, delimited text (CSV), Parquet, lists of
// objects, Amazon S3 inventories and Athena manifests.
package items

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"sort"
	"strconv"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// Action is an operation of Amazon S3.
type Action uint8

// The actions that an ItemReader can have.
const (
	GetObject Action = iota
	ListObjectsV2
)

var actionNames = [...]string{GetObject: "getObject", ListObjectsV2: "listObjectsV2"}

// ParseAction returns the action of a name, as a Resource ends with it.
func ParseAction(name string) (Action, bool) {
	return wording.KindNamed[Action](actionNames[:], name)
}

// ActionOf returns the action that the Resource of an ItemReader names.
func ActionOf(resource string) (Action, bool) {
	_, name, _ := strings.Cut(resource, ":states:::s3:")
	return ParseAction(name)
}

// String returns the action's name, "getObject" or "listObjectsV2".
func (a Action) String() string { return actionNames[a] }

// Object names an object that a Reading needs: the content of one object, or a list of objects.
type Object struct {
	Action Action
	Bucket string
	// Key is the object's key; of a list it is the prefix that the keys have, which may be empty.
	Key string
}

// URI returns where the object is, as $$.Map.Item.Source shows it: "s3://bucket/key", of a list "s3://bucket".
func (o Object) URI() string {
	if o.Action == ListObjectsV2 || o.Key == "" {
		return "s3://" + o.Bucket
	}
	return "s3://" + o.Bucket + "/" + o.Key
}

// Error says why a dataset cannot be read, as the cause of States.ItemReaderFailed does.
type Error struct {
	// Object is the object that is wrong; nil where the request for it is.
	Object *Object
	Msg    string
}

// Error implements error. Step Functions' causes do not name the object, and neither does this.
func (e *Error) Error() string { return e.Msg }

// UnsupportedError says that a dataset has a format which this package does not read.
type UnsupportedError struct {
	Format string
	// Advice says what to do; the default is to convert it.
	Advice string
}

// Error implements error.
func (e *UnsupportedError) Error() string {
	return fmt.Sprintf("datasets in the format %s cannot be read here: %s", e.Format, cmp.Or(e.Advice, "convert it to CSV"))
}

// decoder turns the content of an object into items, or into further objects to read.
type decoder func(r *Reading, from Object, body []byte) error

// need is an object to read and its decoder.
type need struct {
	object Object
	decode decoder
}

// segment is where the items of one object begin.
type segment struct {
	from int
	uri  string
}

// Reading is a dataset on its way. It is not for use by several goroutines at once.
type Reading struct {
	config   *asl.ReaderConfig
	limit    int64 // of items; 0 means none
	needs    []need
	read     int // of needs
	items    []value.Value
	segments []segment
}

// Start begins to read the dataset at an object or list. limit is the greatest number of items, 0 for all of
// them. The error is an *[Error].
func Start(config *asl.ReaderConfig, first Object, limit int64) (*Reading, error) {
	if limit < 0 {
		return nil, &Error{Msg: "field MaxItems must be positive"}
	}
	r := &Reading{config: config, limit: limit}
	r.needs = []need{{first, r.firstDecoder(first.Action)}}
	return r, nil
}

// firstDecoder chooses the decoder of the first object by action and configuration.
func (r *Reading) firstDecoder(action Action) decoder {
	switch RoleOf(r.config, action, true) {
	case ListingToRead:
		return listToLoad
	case Listing:
		return objectItems
	case AthenaManifest:
		return athenaManifest
	case InventoryManifest:
		return inventoryManifest
	case Data, InventoryFile:
	}
	return r.dataDecoder()
}

// dataDecoder chooses the decoder of an object with items. A dataset without an InputType is JSON.
func (r *Reading) dataDecoder() decoder {
	switch r.config.InputType {
	case asl.InputCSV:
		return text(delimited)
	case asl.InputJSONL:
		return text(jsonLines)
	case asl.InputParquet:
		return parquetRows
	case asl.InputJSON, asl.InputManifest:
	}
	return text(jsonArray)
}

// Next returns the object that is needed; ok is false when the reading has every item.
func (r *Reading) Next() (object Object, ok bool) {
	if r.read >= len(r.needs) || r.full() {
		return Object{}, false
	}
	return r.needs[r.read].object, true
}

// Add takes the content of the object that Next returned. Of a list it is the answer of the service as
// JSON, {"Contents": [{"Key": …}, …]}, or that array alone. The errors are *[Error] and *[UnsupportedError].
func (r *Reading) Add(body []byte) error {
	if r.read >= len(r.needs) {
		return &Error{Msg: "the dataset needs no further object"}
	}
	next := r.needs[r.read]
	r.read++
	r.segments = append(r.segments, segment{len(r.items), next.object.URI()})
	return next.decode(r, next.object, body)
}

// parquetMagic begins and ends every Parquet file.
var parquetMagic = []byte("PAR1")

// text returns a decoder of an object with text, which may be compressed with gzip. A file in another format gets an error that
// says so.
func text(decode decoder) decoder {
	return func(r *Reading, from Object, body []byte) error {
		unpacked, err := decompressed(body)
		if err != nil {
			return r.fault(from, "The object %s cannot be unpacked: %v", from.Key, err)
		}
		switch {
		case bytes.HasPrefix(unpacked, parquetMagic) && bytes.HasSuffix(unpacked, parquetMagic):
			return r.fault(from, "The object %s is a Parquet file, and the InputType is %s", from.Key, r.inputType())
		case bytes.HasPrefix(unpacked, zstdMagic):
			return &UnsupportedError{Format: r.inputType() + " compressed with Zstandard", Advice: "decompress it"}
		}
		return decode(r, from, unpacked)
	}
}

// zstdMagic begins every frame of Zstandard.
var zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}

// inputType returns the InputType, JSON where there is none.
func (r *Reading) inputType() string {
	if r.config.InputType == 0 {
		return asl.InputJSON.String()
	}
	return r.config.InputType.String()
}

// Items returns the items that have been read so far.
func (r *Reading) Items() *value.Array { return value.NewArray(r.items[:len(r.items):len(r.items)]) }

// Sources returns where the items came from.
func (r *Reading) Sources() Sources { return Sources{r.segments[:len(r.segments):len(r.segments)]} }

// Sources says of each item from which object it came. It never changes.
type Sources struct{ segments []segment }

// Of returns the URI of the object that item i came from, "" where it came from none.
func (s Sources) Of(i int) string {
	// An object without items begins where the next one does.
	after := sort.Search(len(s.segments), func(n int) bool { return s.segments[n].from > i })
	if after == 0 {
		return ""
	}
	return s.segments[after-1].uri
}

// Clone returns an independent copy of the reading.
func (r *Reading) Clone() *Reading {
	c := *r
	// Present items never change: only appending must not write into the same storage.
	c.needs = r.needs[:len(r.needs):len(r.needs)]
	c.items = r.items[:len(r.items):len(r.items)]
	c.segments = r.segments[:len(r.segments):len(r.segments)]
	return &c
}

func (r *Reading) full() bool { return r.limit > 0 && int64(len(r.items)) >= r.limit }

// add takes an item, and reports false when the limit is reached.
func (r *Reading) add(item value.Value) bool {
	if r.full() {
		return false
	}
	r.items = append(r.items, item)
	return !r.full()
}

func (r *Reading) fault(from Object, format string, args ...any) error {
	return &Error{Object: &from, Msg: fmt.Sprintf(format, args...)}
}

// nonIterable is the recorded cause of a JSON dataset that isn't an array.
const nonIterable = "Attempting to map over non-iterable node."

// jsonArray reads an object that is a JSON array, or has one at the ItemsPointer.
func jsonArray(r *Reading, from Object, body []byte) error {
	v, err := value.Parse(body, value.Limits{})
	if err != nil {
		return r.fault(from, "The dataset is not JSON: %v", err)
	}
	if pointer := r.config.ItemsPointer; pointer != "" {
		found, ok := at(v, pointer)
		if !ok {
			return r.fault(from, "The ItemsPointer %q points to nothing in the dataset", pointer)
		}
		v = found
	}
	array, ok := v.(*value.Array)
	if !ok {
		return r.fault(from, nonIterable)
	}
	for _, item := range array.All() {
		if !r.add(item) {
			break
		}
	}
	return nil
}

// at finds the value that a JSON Pointer (RFC 6901) points to.
func at(v value.Value, pointer string) (value.Value, bool) {
	for token := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		token = value.UnescapePointer(token)
		switch container := v.(type) {
		case *value.Object:
			if v = container.Get(token); v == nil {
				return nil, false
			}
		case *value.Array:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= container.Len() || strconv.Itoa(i) != token {
				return nil, false
			}
			v = container.At(i)
		default:
			return nil, false
		}
	}
	return v, true
}

// jsonLines reads an object that has one JSON value in each line. Lines without any are passed over.
func jsonLines(r *Reading, from Object, body []byte) error {
	number := 0
	for line := range bytes.Lines(body) {
		number++
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		item, err := value.Parse(line, value.Limits{})
		if err != nil {
			var syntax *value.SyntaxError
			if errors.As(err, &syntax) {
				return r.fault(from, "Line %d, column %d of the dataset is not JSON: %s", number, syntax.Col, syntax.Msg)
			}
			return r.fault(from, "Line %d of the dataset is not JSON: %v", number, err)
		}
		if !r.add(item) {
			break
		}
	}
	return nil
}

// readParquet reads Parquet files; nil in a program without package parquetfile.
var readParquet func(body []byte, add func(row value.Value) bool) error

// RegisterParquet sets the reader of Parquet files. It calls add with each row until add reports false; its error is
// the cause of the failure. Package parquetfile calls it when the program begins.
func RegisterParquet(read func(body []byte, add func(row value.Value) bool) error) {
	readParquet = read
}

// parquetRows reads an object that is a Parquet file. A JSON array is accepted too, so that fixtures can list the rows.
func parquetRows(r *Reading, from Object, body []byte) error {
	if bytes.HasPrefix(bytes.TrimSpace(body), []byte("[")) {
		return jsonArray(r, from, body)
	}
	if readParquet == nil {
		return &UnsupportedError{Format: asl.InputParquet.String()}
	}
	if err := readParquet(body, r.add); err != nil {
		text := err.Error()
		return r.fault(from, "%s", strings.ToUpper(text[:1])+text[1:]) // a Cause is a sentence
	}
	return nil
}

// Role is the part of an object in a dataset.
type Role uint8

// The roles.
const (
	// Data is an object with items.
	Data Role = iota
	// Listing is a list of objects whose descriptions are the items.
	Listing
	// ListingToRead is a list of objects that are read.
	ListingToRead
	// AthenaManifest is a manifest of Athena's UNLOAD: a line with the URI of an object each.
	AthenaManifest
	// InventoryManifest is the manifest.json of an Amazon S3 inventory.
	InventoryManifest
	// InventoryFile is a file that such a manifest names: rows without a header.
	InventoryFile
)

// RoleOf returns the role of an object that the reading of a dataset asks for. first reports whether it is the object that the
// ItemReader itself names.
func RoleOf(config *asl.ReaderConfig, action Action, first bool) Role {
	inventory := config.InputType == asl.InputManifest || config.ManifestType == asl.ManifestInventory
	switch {
	case action == ListObjectsV2 && config.Transformation == asl.LoadFlatten:
		return ListingToRead
	case action == ListObjectsV2:
		return Listing
	case config.ManifestType == asl.ManifestAthena && first:
		return AthenaManifest
	case config.ManifestType == asl.ManifestAthena:
		return Data
	case inventory && first:
		return InventoryManifest
	case inventory:
		return InventoryFile
	}
	return Data
}

// NamesObjects reports whether an object of the role names other objects, which are read next.
func (r Role) NamesObjects() bool {
	return r == ListingToRead || r == AthenaManifest || r == InventoryManifest
}

package mcp

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"asldb/engine/value"
	"asldb/internal/wording"
)

// maxAnswer bounds the document of an answer and its text, in bytes each.
const maxAnswer = 8000

// answer is the answer of a tool.
type answer struct {
	// doc is an object, as encoding/json takes it. text is the same for a reader.
	doc  any
	text string
	// next is a call that makes sense now; nil: there is none.
	next *call
}

// call is a call of a tool.
type call struct {
	Tool      string         `json:"tool"`
	Arguments map[string]any `json:"arguments"`
}

// result makes the answer one of the protocol: cut to its bounds, with places.
func (a *answer) result() (*mcp.CallToolResult, error) {
	text, err := json.Marshal(a.doc)
	doc, wrong := value.Parse(text, value.Limits{})
	if err = errors.Join(err, wrong); err != nil {
		return nil, err
	}
	object, ok := withPlaces(doc, "").(*value.Object)
	if !ok {
		return nil, errors.New("the document of an answer is an object")
	}
	room := maxAnswer
	if a.next != nil {
		text, err := json.Marshal(a.next)
		next, wrong := value.Parse(text, value.Limits{})
		if err = errors.Join(err, wrong); err != nil {
			return nil, err
		}
		room -= len(text) + len(`"next":,`)
		object, _ = cut(object, room, "$").(*value.Object)
		object = object.With("next", next)
	} else {
		object, _ = cut(object, room, "$").(*value.Object)
	}
	shown := strings.TrimRight(a.text, "\n")
	if len(shown) > maxAnswer {
		shown = wording.Clip(shown, maxAnswer-100) + "\n(cut: " + strconv.Itoa(len(a.text)) + " bytes)"
	}
	return &mcp.CallToolResult{
		Content:           []mcp.Content{&mcp.TextContent{Text: cmp.Or(shown, "done")}},
		StructuredContent: json.RawMessage(value.Compact(object)),
	}, nil
}

// failed is the result of a tool that has an error: a sentence with the place, and with the nearest name where one was
// misspelt.
func failed(err error) *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{
		Text: wording.Clip(wording.Text(err.Error()), maxAnswer),
	}}}
}

// withPlaces returns a document in which each place is one text, file:line:col. file is the file of the object around.
func withPlaces(v value.Value, file string) value.Value {
	switch v := v.(type) {
	case *value.Array:
		list := make([]value.Value, 0, v.Len())
		for _, item := range v.All() {
			list = append(list, withPlaces(item, file))
		}
		return value.NewArray(list)
	case *value.Object:
		if name, ok := v.Get("file").(value.String); ok {
			file = string(name)
		}
		var members []value.Member
		at := v
		if start, ok := v.Get("start").(*value.Object); ok {
			at = start
		}
		line, hasLine := at.Get("line").(value.Number)
		column, hasColumn := at.Get("column").(value.Number)
		isPlace := hasLine && hasColumn && file != ""
		for name, member := range v.All() {
			switch {
			case isPlace && slices.Contains([]string{"start", "end", "line", "column", "file"}, name):
			default:
				members = append(members, value.M(name, withPlaces(member, file)))
			}
		}
		if isPlace {
			members = append(members, value.Text("place", file+":"+line.Text()+":"+column.Text()))
		}
		return value.NewObject(members)
	}
	return v
}

// cut returns a value of at most room bytes: large parts of it are replaced by {"$cut": BYTES, "path": PATH, ...}, and
// lists end with one.
func cut(v value.Value, room int, path string) value.Value {
	size := value.Size(v)
	if size <= room {
		return v
	}
	switch v := v.(type) {
	case *value.Object:
		if v.Len() > 0 && room > 2*markRoom {
			return cutObject(v, room, path)
		}
	case *value.Array:
		if v.Len() > 0 && room > 2*markRoom {
			return cutArray(v, room, path)
		}
	case value.String:
		if begins := wording.Clip(string(v), max(room-markRoom, 0)/2); begins != "" && room > markRoom {
			return mark(size, path, value.Text("begins", begins))
		}
	}
	return mark(size, path)
}

// markRoom is the room of a mark with a path of usual length.
const markRoom = 120

// mark is in the place of a value that was cut.
func mark(size int, path string, more ...value.Member) value.Value {
	return value.NewObject(
		append([]value.Member{value.M("$cut", value.Int(int64(size))), value.Text("path", path)}, more...),
	)
}

// cutObject keeps the small members whole, and shares the room that they leave among the large ones.
func cutObject(o *value.Object, room int, path string) value.Value {
	room -= 2
	sizes := make([]int, o.Len())
	order := make([]int, o.Len())
	for i := range sizes {
		m := o.At(i)
		sizes[i], order[i] = value.Size(m.Value), i
		room -= len(m.Key) + 4
	}
	if room < o.Len()*markRoom/2 { // very many members: those at the beginning
		return cutMany(o, room, path)
	}
	slices.SortStableFunc(order, func(a, b int) int { return sizes[a] - sizes[b] })
	members := make([]value.Member, o.Len())
	for left, i := range order {
		m := o.At(i)
		share := room / (o.Len() - left)
		members[i] = value.M(m.Key, cut(m.Value, share, path+value.Step(m.Key)))
		room -= value.Size(members[i].Value)
	}
	return value.NewObject(members)
}

// cutMany keeps the first members of an object.
func cutMany(o *value.Object, room int, path string) value.Value {
	var members []value.Member
	for i := range o.Len() {
		m := o.At(i)
		kept := cut(m.Value, 2*markRoom, path+value.Step(m.Key))
		if room -= value.Size(kept); room < markRoom {
			break
		}
		members = append(members, value.M(m.Key, kept))
	}
	return value.NewObject(append(members, value.M("$cut", value.Int(int64(value.Size(o)))), value.Text("path", path)))
}

// cutArray keeps the first items of a list, and ends with a mark.
func cutArray(a *value.Array, room int, path string) value.Value {
	room -= markRoom + 2
	var items []value.Value
	for i, item := range a.All() {
		kept := cut(item, max(room/4, 2*markRoom), path+"["+strconv.Itoa(i)+"]")
		if room -= value.Size(kept) + 1; room < 0 {
			break
		}
		items = append(items, kept)
	}
	return value.NewArray(append(items, mark(value.Size(a), path, value.M("items", value.Int(int64(a.Len()))))))
}

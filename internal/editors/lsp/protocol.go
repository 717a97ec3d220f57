package lsp

import (
	"encoding/json"
	"strings"

	"asldb/engine/asl"
	"asldb/engine/console"
	"asldb/engine/source"
)

// The types below are types of the protocol, as far as the server uses them. Lines and characters are from 0;
// characters are UTF-16 code units.

type position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

type span struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

type location struct {
	URI   string `json:"uri"`
	Range span   `json:"range"`
}

type documentID struct {
	URI string `json:"uri"`
	// Version is nil where the client has none.
	Version *int `json:"version,omitempty"`
}

type positionParams struct {
	TextDocument documentID `json:"textDocument"`
	Position     position   `json:"position"`
}

type documentParams struct {
	TextDocument documentID `json:"textDocument"`
}

type rangeParams struct {
	TextDocument documentID `json:"textDocument"`
	Range        span       `json:"range"`
}

type openParams struct {
	TextDocument struct {
		URI        string `json:"uri"`
		LanguageID string `json:"languageId"`
		Version    int    `json:"version"`
		Text       string `json:"text"`
	} `json:"textDocument"`
}

type changeParams struct {
	TextDocument   documentID `json:"textDocument"`
	ContentChanges []change   `json:"contentChanges"`
}

// change is a new text, of a stretch or of the whole document.
type change struct {
	Range *span  `json:"range"`
	Text  string `json:"text"`
}

type initializeParams struct {
	ProcessID             *int `json:"processId"`
	InitializationOptions struct {
		Hints *bool `json:"hints"`
	} `json:"initializationOptions"`
	RootURI          string       `json:"rootUri"`
	WorkspaceFolders []documentID `json:"workspaceFolders"`
	Capabilities     struct {
		Workspace struct {
			DidChangeWatchedFiles struct {
				DynamicRegistration bool `json:"dynamicRegistration"`
			} `json:"didChangeWatchedFiles"`
			Diagnostics struct {
				RefreshSupport bool `json:"refreshSupport"`
			} `json:"diagnostics"`
		} `json:"workspace"`
		TextDocument struct {
			// Diagnostic is set where the editor asks for problems.
			Diagnostic *struct{} `json:"diagnostic"`
			Completion struct {
				CompletionItem struct {
					SnippetSupport bool `json:"snippetSupport"`
				} `json:"completionItem"`
			} `json:"completion"`
		} `json:"textDocument"`
	} `json:"capabilities"`
}

// The severities of a diagnostic.
const (
	severityError   = 1
	severityWarning = 2
	severityHint    = 4
)

type diagnostic struct {
	Range    span   `json:"range"`
	Severity int    `json:"severity"`
	Code     string `json:"code,omitempty"`
	// CodeDescription has the page about the rule.
	CodeDescription *codeDescription `json:"codeDescription,omitempty"`
	Source          string           `json:"source"`
	Message         string           `json:"message"`
	// Related are the steps that lead to the problem.
	Related []related `json:"relatedInformation,omitempty"`
}

type codeDescription struct {
	Href string `json:"href"`
}

type pullParams struct {
	TextDocument     documentID `json:"textDocument"`
	PreviousResultID string     `json:"previousResultId"`
}

// report answers a pull of problems: Items where Kind is full.
type report struct {
	Kind             string            `json:"kind"`
	ResultID         string            `json:"resultId,omitempty"`
	Items            *[]diagnostic     `json:"items,omitempty"`
	RelatedDocuments map[string]report `json:"relatedDocuments,omitempty"`
}

type related struct {
	Location location `json:"location"`
	Message  string   `json:"message"`
}

type publishParams struct {
	URI         string       `json:"uri"`
	Version     *int         `json:"version,omitempty"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

type textEdit struct {
	Range   span   `json:"range"`
	NewText string `json:"newText"`
}

type workspaceEdit struct {
	Changes map[string][]textEdit `json:"changes"`
}

type codeActionParams struct {
	TextDocument documentID `json:"textDocument"`
	Range        span       `json:"range"`
	Context      struct {
		Only []string `json:"only"`
	} `json:"context"`
}

type codeAction struct {
	Title       string        `json:"title"`
	Kind        string        `json:"kind"`
	Diagnostics []diagnostic  `json:"diagnostics,omitempty"`
	IsPreferred bool          `json:"isPreferred,omitempty"`
	Edit        workspaceEdit `json:"edit"`
}

// The kinds of a completion item.
const (
	kindFunction  = 3
	kindField     = 5
	kindVariable  = 6
	kindModule    = 9
	kindProperty  = 10
	kindValue     = 12
	kindEnum      = 13
	kindReference = 18
	kindEvent     = 23
)

type completionItem struct {
	Label         string    `json:"label"`
	Kind          int       `json:"kind"`
	Detail        string    `json:"detail,omitempty"`
	Documentation string    `json:"documentation,omitempty"`
	SortText      string    `json:"sortText,omitempty"`
	FilterText    string    `json:"filterText,omitempty"`
	TextEdit      *textEdit `json:"textEdit,omitempty"`
	// InsertTextFormat is snippet where the text has places to fill in.
	InsertTextFormat int `json:"insertTextFormat,omitempty"`
}

// snippet is the format of a completion with places to fill in; kindSnippet its kind.
const (
	snippet     = 2
	kindSnippet = 15
)

type completionList struct {
	IsIncomplete bool             `json:"isIncomplete"`
	Items        []completionItem `json:"items"`
}

type hover struct {
	Contents markup `json:"contents"`
	Range    *span  `json:"range,omitempty"`
}

type markup struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

type referenceParams struct {
	positionParams
	Context struct {
		IncludeDeclaration bool `json:"includeDeclaration"`
	} `json:"context"`
}

type renameParams struct {
	positionParams
	NewName string `json:"newName"`
}

type prepared struct {
	Range       span   `json:"range"`
	Placeholder string `json:"placeholder"`
}

// The kinds of a symbol.
const (
	symbolModule    = 2
	symbolNamespace = 3
	symbolClass     = 5
	symbolMethod    = 6
	symbolFunction  = 12
)

type documentSymbol struct {
	Name           string           `json:"name"`
	Detail         string           `json:"detail,omitempty"`
	Kind           int              `json:"kind"`
	Range          span             `json:"range"`
	SelectionRange span             `json:"selectionRange"`
	Children       []documentSymbol `json:"children,omitempty"`
}

type codeLens struct {
	Range   span    `json:"range"`
	Command command `json:"command"`
}

type command struct {
	Title     string `json:"title"`
	Command   string `json:"command"`
	Arguments []any  `json:"arguments,omitempty"`
}

type foldingRange struct {
	StartLine int `json:"startLine"`
	EndLine   int `json:"endLine"`
}

type selectionParams struct {
	TextDocument documentID `json:"textDocument"`
	Positions    []position `json:"positions"`
}

type selectionRange struct {
	Range  span            `json:"range"`
	Parent *selectionRange `json:"parent,omitempty"`
}

type highlight struct {
	Range span `json:"range"`
	Kind  int  `json:"kind"`
}

type documentLink struct {
	Range  span   `json:"range"`
	Target string `json:"target"`
}

type foldersParams struct {
	Event struct {
		Added, Removed []documentID
	} `json:"event"`
}

type symbolParams struct {
	Query string `json:"query"`
}

type workspaceSymbol struct {
	Name          string   `json:"name"`
	Kind          int      `json:"kind"`
	ContainerName string   `json:"containerName,omitempty"`
	Location      location `json:"location"`
}

type signatureHelp struct {
	Signatures      []signatureInformation `json:"signatures"`
	ActiveSignature int                    `json:"activeSignature"`
	ActiveParameter int                    `json:"activeParameter"`
}

type signatureInformation struct {
	Label           string                 `json:"label"`
	Documentation   string                 `json:"documentation,omitempty"`
	Parameters      []parameterInformation `json:"parameters,omitempty"`
	ActiveParameter int                    `json:"activeParameter"`
}

type parameterInformation struct {
	Label string `json:"label"`
}

type semanticTokens struct {
	Data []int `json:"data"`
}

type inlayHint struct {
	Position    position `json:"position"`
	Label       string   `json:"label"`
	Tooltip     string   `json:"tooltip,omitempty"`
	PaddingLeft bool     `json:"paddingLeft"`
}

type cancelParams struct {
	ID json.RawMessage `json:"id"`
}

// signature answers with the function whose arguments are being typed at a position, and the argument.
func (s *server) signature(p *positionParams) (any, error) {
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	c := s.cursorAt(d, d.lines.offset(p.Position))
	if c == nil || c.isKey || c.state == nil {
		return nil, nil
	}
	text, _ := source.TextOf(c.node)
	before, _, _ := strings.Cut(text, marker)
	if c.language == asl.JSONata {
		expression, is := strings.CutPrefix(strings.TrimSpace(before), "{%")
		if !is {
			return nil, nil
		}
		before = expression
	}
	usage, about, argument := console.CallAt(before)
	if usage == "" {
		return nil, nil
	}
	one := signatureInformation{Label: usage, Documentation: about, ActiveParameter: argument}
	inside, ok := strings.CutSuffix(usage[strings.IndexByte(usage, '(')+1:], ")")
	for ok && inside != "" {
		name, rest, more := strings.Cut(inside, ", ")
		one.Parameters = append(one.Parameters, parameterInformation{Label: strings.Trim(name, "[] ")})
		if inside = rest; !more {
			break
		}
	}
	one.ActiveParameter = min(argument, max(len(one.Parameters)-1, 0))
	return signatureHelp{Signatures: []signatureInformation{one}, ActiveParameter: one.ActiveParameter}, nil
}

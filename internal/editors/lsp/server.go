package lsp

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"path/filepath"
	"sync"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"asldb/internal/editors"
)

// Options are the parts of the program around a server.
type Options struct {
	// Version is the version of asldb.
	Version string
	// Delay is the time without a change after which the problems of a document are sent; 0 means 150
	// milliseconds.
	Delay time.Duration
}

// defaultDelay is the time without a change after which problems are sent.
const defaultDelay = 150 * time.Millisecond

// ErrNoShutdown says that the editor ended the server without asking for that first.
var ErrNoShutdown = errors.New("the editor sent exit without shutdown")

// maxWaiting bounds the messages that wait for their answer. No more are read then.
const maxWaiting = 256

// codeCancelled and codeNotInitialized are the protocol's own codes of errors; codeFailed is the code of a correct
// request that cannot be carried out.
const (
	codeCancelled      = -32800
	codeFailed         = -32803
	codeNotInitialized = -32002
)

// Serve answers the requests of one editor until it sends exit or its input ends. The error is a *framing.Error,
// [ErrNoShutdown], the context's, or one of reading.
func Serve(ctx context.Context, in io.Reader, out io.Writer, options Options) error {
	options.Delay = cmp.Or(options.Delay, defaultDelay)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &server{
		options: options, ctx: ctx, documents: make(map[string]*document), published: make(map[string][]byte),
		jobs: make(chan job, maxWaiting), waiting: make(map[jsonrpc2.ID]context.CancelFunc), over: make(chan error, 1),
		hints: true,
	}
	var ended error
	messages := &stream{in: bufio.NewReader(in), out: out}
	messages.ended = func(err error) { // the requests before the end get their answers
		ended = err
		done := make(chan struct{})
		s.push(job{ctx: ctx, do: func(context.Context) { close(done) }})
		select {
		case <-done:
		case <-ctx.Done():
		}
	}
	s.conn = jsonrpc2.NewConn(ctx, messages, s, jsonrpc2.SetLogger(log.New(io.Discard, "", 0)))
	var owner sync.WaitGroup
	owner.Go(s.work)
	defer owner.Wait()
	defer cancel()
	select {
	case err := <-s.over:
		return err
	case <-s.conn.DisconnectNotify():
	}
	select {
	case err := <-s.over:
		return err
	default:
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(ended, io.EOF) || errors.Is(ended, io.ErrUnexpectedEOF) {
		return nil
	}
	return ended
}

// job is a piece of work for the owner of the documents.
type job struct {
	ctx context.Context
	do  func(context.Context)
}

// server is one editor with its documents. Its fields belong to the goroutine of work, but for those that a mutex
// guards.
type server struct {
	options Options
	ctx     context.Context
	conn    *jsonrpc2.Conn
	jobs    chan job
	over    chan error

	mutex   sync.Mutex
	waiting map[jsonrpc2.ID]context.CancelFunc // the requests without an answer

	initialized, down bool
	hints             bool
	// snippets: the editor takes completions with places to fill in.
	snippets bool
	// pulled: the editor asks for problems. refreshes: it does so again when it is told to. watches: it takes the names
	// of files to watch.
	pulled, refreshes, watches bool

	documents map[string]*document // by URI
	// generation counts the changes of all texts.
	generation int
	timer      *time.Timer
	// folders are those that the editor works in.
	folders   []string
	templates templates
	// published are the problems that the editor has, by URI.
	published map[string][]byte
}

// push adds a job, and waits while there are too many.
func (s *server) push(j job) {
	select {
	case s.jobs <- j:
	case <-s.ctx.Done():
	}
}

// work carries out the jobs.
func (s *server) work() {
	for {
		select {
		case j := <-s.jobs:
			j.do(j.ctx)
		case <-s.ctx.Done():
			return
		}
	}
}

// Handle implements [jsonrpc2.Handler]. Messages are answered in their order; only a cancellation is read before.
func (s *server) Handle(ctx context.Context, _ *jsonrpc2.Conn, r *jsonrpc2.Request) {
	if r.Notif && r.Method == "$/cancelRequest" {
		s.cancel(r)
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	if !r.Notif {
		s.mutex.Lock()
		s.waiting[r.ID] = cancel
		s.mutex.Unlock()
	}
	s.push(job{ctx: ctx, do: func(ctx context.Context) {
		defer cancel()
		s.respond(ctx, r)
	}})
}

// cancel ends the work for a request.
func (s *server) cancel(r *jsonrpc2.Request) {
	var params cancelParams
	var id jsonrpc2.ID
	if r.Params == nil || json.Unmarshal(*r.Params, &params) != nil || id.UnmarshalJSON(params.ID) != nil {
		return
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if cancel := s.waiting[id]; cancel != nil {
		cancel()
	}
}

// respond answers a request, or takes note of a notification.
func (s *server) respond(ctx context.Context, r *jsonrpc2.Request) {
	result, err := s.guarded(ctx, r)
	if r.Notif {
		return
	}
	s.mutex.Lock()
	delete(s.waiting, r.ID)
	s.mutex.Unlock()
	var refusal *jsonrpc2.Error
	switch {
	case ctx.Err() != nil && s.ctx.Err() == nil:
		refusal = &jsonrpc2.Error{Code: codeCancelled, Message: "the request was cancelled"}
	case err == nil:
		if result == nil {
			result = json.RawMessage("null")
		}
		_ = s.conn.Reply(s.ctx, r.ID, result)
		return
	case !errors.As(err, &refusal):
		refusal = &jsonrpc2.Error{Code: codeFailed, Message: err.Error()}
	}
	_ = s.conn.ReplyWithError(s.ctx, r.ID, refusal)
}

// guarded answers a request. A fault of asldb itself becomes an error.
func (s *server) guarded(ctx context.Context, r *jsonrpc2.Request) (result any, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			result, err = nil, &jsonrpc2.Error{
				Code:    jsonrpc2.CodeInternalError,
				Message: fmt.Sprintf("a fault of asldb: %v", fault),
			}
		}
	}()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return s.answer(ctx, r)
}

// answer answers a request of any method.
func (s *server) answer(ctx context.Context, r *jsonrpc2.Request) (any, error) {
	switch {
	case r.Method == "exit":
		err := ErrNoShutdown
		if s.down {
			err = nil
		}
		s.over <- err
		return nil, nil
	case r.Method == "initialize":
		return with(r, s.initialize)
	case !s.initialized:
		return nil, &jsonrpc2.Error{Code: codeNotInitialized, Message: "send initialize first"}
	case r.Method == "shutdown":
		s.down = true
		return nil, nil
	case s.down:
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "the server was shut down: send exit"}
	}
	return s.serve(ctx, r)
}

// serve answers a request while the server is initialized and not shut down.
func (s *server) serve(ctx context.Context, r *jsonrpc2.Request) (any, error) {
	switch r.Method {
	case "initialized":
		s.watch()
		return nil, nil
	case "$/setTrace", "textDocument/didSave", "workspace/didChangeConfiguration":
		return nil, nil
	case "textDocument/didOpen":
		return with(r, s.open)
	case "textDocument/didChange":
		return with(r, s.change)
	case "textDocument/didClose":
		return with(r, s.close)
	case "workspace/didChangeWatchedFiles":
		s.templates.stale = true
		s.changed()
		return nil, nil
	case "workspace/didChangeWorkspaceFolders":
		return with(r, s.changeFolders)
	case "textDocument/diagnostic":
		return with(r, s.pull)
	case "textDocument/semanticTokens/full":
		return with(r, s.tokens)
	case "textDocument/semanticTokens/range":
		return with(r, s.tokensIn)
	case "textDocument/inlayHint":
		return with(r, s.inlays)
	case "textDocument/formatting":
		return with(r, s.format)
	case "textDocument/codeAction":
		return with(r, s.codeActions)
	case "textDocument/completion":
		return with(r, s.complete(ctx))
	case "textDocument/hover":
		return with(r, s.hover(ctx))
	case "textDocument/definition":
		return with(r, s.define)
	case "textDocument/references":
		return with(r, s.references)
	case "textDocument/prepareRename":
		return with(r, s.prepareRename)
	case "textDocument/rename":
		return with(r, s.rename)
	case "textDocument/documentSymbol":
		return with(r, s.symbols)
	case "textDocument/foldingRange":
		return with(r, s.folds)
	case "textDocument/selectionRange":
		return with(r, s.selections)
	case "textDocument/documentHighlight":
		return with(r, s.highlights)
	case "textDocument/documentLink":
		return with(r, s.links)
	case "textDocument/signatureHelp":
		return with(r, s.signature)
	case "workspace/symbol":
		return with(r, s.findSymbols)
	case "textDocument/codeLens":
		return with(r, s.lenses)
	}
	return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: "asldb does not answer " + r.Method}
}

// with answers a request with the parameters of a type.
func with[P any](r *jsonrpc2.Request, answer func(*P) (any, error)) (any, error) {
	var params P
	if r.Params == nil {
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: r.Method + " needs params"}
	}
	if err := json.Unmarshal(*r.Params, &params); err != nil {
		return nil, &jsonrpc2.Error{
			Code:    jsonrpc2.CodeInvalidParams,
			Message: "the params of " + r.Method + ": " + editors.JSONError(err).Error(),
		}
	}
	return answer(&params)
}

// incremental is the kind of synchronization in which changes are stretches.
const incremental = 2

// initialize says what the server can do.
func (s *server) initialize(p *initializeParams) (any, error) {
	if s.initialized {
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "initialize was sent before"}
	}
	s.initialized = true
	if p.InitializationOptions.Hints != nil {
		s.hints = *p.InitializationOptions.Hints
	}
	s.templates.stale = true
	workspace := &p.Capabilities.Workspace
	s.pulled, s.refreshes = p.Capabilities.TextDocument.Diagnostic != nil, workspace.Diagnostics.RefreshSupport
	s.watches = workspace.DidChangeWatchedFiles.DynamicRegistration
	s.snippets = p.Capabilities.TextDocument.Completion.CompletionItem.SnippetSupport
	if len(p.WorkspaceFolders) == 0 && p.RootURI != "" {
		p.WorkspaceFolders = append(p.WorkspaceFolders, documentID{URI: p.RootURI})
	}
	for _, folder := range p.WorkspaceFolders {
		s.folders = append(s.folders, filepath.Clean(nameOf(folder.URI)))
	}
	return map[string]any{
		"serverInfo":   map[string]any{"name": "asldb", "version": s.options.Version},
		"capabilities": capabilities(),
	}, nil
}

// capabilities are the features of the server.
func capabilities() map[string]any {
	return map[string]any{
		"positionEncoding":       "utf-16",
		"textDocumentSync":       map[string]any{"openClose": true, "change": incremental, "save": false},
		"codeActionProvider":     map[string]any{"codeActionKinds": []string{"quickfix", fixAll}},
		"completionProvider":     map[string]any{"triggerCharacters": []string{`"`, ".", "$", ":", " "}},
		"hoverProvider":          true,
		"definitionProvider":     true,
		"referencesProvider":     true,
		"renameProvider":         map[string]any{"prepareProvider": true},
		"documentSymbolProvider": true,

		"foldingRangeProvider":       true,
		"selectionRangeProvider":     true,
		"documentHighlightProvider":  true,
		"documentLinkProvider":       map[string]any{"resolveProvider": false},
		"signatureHelpProvider":      map[string]any{"triggerCharacters": []string{"(", ","}},
		"workspaceSymbolProvider":    true,
		"codeLensProvider":           map[string]any{"resolveProvider": false},
		"documentFormattingProvider": true,
		"inlayHintProvider":          true,
		"semanticTokensProvider": map[string]any{
			"legend": map[string]any{
				"tokenTypes":     tokenTypes,
				"tokenModifiers": tokenModifiers,
			}, "full": true, "range": true,
		},
		"diagnosticProvider": map[string]any{
			"identifier": "asldb", "interFileDependencies": true, "workspaceDiagnostics": false,
		},
		"workspace": map[string]any{"workspaceFolders": map[string]any{"supported": true, "changeNotifications": true}},
	}
}

// Package lsp is a language server for definitions, and for the suites, fixtures and project files beside them: it
// serves one editor by the Language Server Protocol, version 3.17.
//
// A definition may be in its own file, in JSON or YAML, or in a template; places are in the file that the
// editor shows. The server runs a definition only in memory, with the fixtures that the project file names or that
// are beside the definition, and calls nothing outside.
package lsp

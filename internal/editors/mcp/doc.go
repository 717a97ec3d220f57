// Package mcp serves coding agents by the Model Context Protocol: the commands of asldb, and runs that are stepped
// through, as tools with small answers. An answer has a document and the same as text, with places as file:line:col.
//
// Nothing outside is called, no consent counts, and only files below the root are read (see [files.Confine]). Files are
// written only where the server was started for it.
package mcp

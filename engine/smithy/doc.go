// Package smithy reads Smithy models: files in Smithy's interface definition language (IDL), versions 1.0 and 2, and files
// in its JSON form (the "JSON AST"). Several files are one model. Both forms give the same tree, the one of the JSON AST, with the
// place of everything in its file; applied traits and mixins are part of the shapes that they belong to.
//
// The reader knows the whole syntax and resolves the names of shapes. Of the meaning of shapes it knows mixins,
// elided members and the operations of services; it does not validate models.
//
// The specification is "Smithy IDL", "JSON AST" and "Mixins" (smithy.io/2.0/spec).
package smithy

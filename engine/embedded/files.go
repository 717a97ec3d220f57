package embedded

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"asldb/engine/rules"
	"asldb/engine/source"
	"asldb/engine/value"
)

// definitionFile reads the file that DefinitionUri names.
func (r *resolver) definitionFile(n *source.Node) (*source.File, *source.Node, error) {
	name := r.resolve(n).Text()
	switch {
	case name == "":
		r.problem(source.Error, rules.DefinitionNotFound, n.Span, "DefinitionUri names no file")
		return nil, nil, nil
	case strings.HasPrefix(name, "s3://"):
		return nil, nil, inS3(name)
	case strings.Contains(name, "${") || r.options.Open == nil:
		return nil, nil, &SkipError{"DefinitionUri is " + name + ", which is not a file beside the template"}
	}
	file, err := r.options.Open(name)
	if err != nil {
		return nil, nil, err
	}
	return file, r.definitionIn(file, n), nil
}

// definitionIn reads a definition in its own file, which at names. Of a file that is none, nothing is
// shown: a template can name any file.
func (r *resolver) definitionIn(file *source.File, at *source.Node) *source.Node {
	if !MayBeDefinition(file.Data) {
		r.problem(source.Error, rules.DefinitionNotFound, at.Span,
			"%s is not a definition: it has neither StartAt nor States", file.Name)
		return nil
	}
	text, unknown := source.Whole(file).Substitute(r.substituted)
	root, problem := text.ReadSubstituted(file.Name)
	if problem != nil {
		r.problems = append(r.problems, source.Own(file, []source.Diagnostic{*problem})...)
		return nil
	}
	r.missing(file, unknown)
	return root
}

// MayBeDefinition reports whether a text has a word that a definition cannot be without.
func MayBeDefinition(data []byte) bool {
	return bytes.Contains(data, []byte("StartAt")) || bytes.Contains(data, []byte("States"))
}

// asset reads a definition that is an object in S3 when it is deployed: of the CDK's DefinitionBody.fromFile, the file is in
// cdk.out, beside the template, and the template's *.assets.json tells its name.
func (r *resolver) asset(n *source.Node) (*source.File, *source.Node, error) {
	key := value.Plain(r.resolve(cmp.Or(n.Get("Key"), n)).Value)
	names := []string{"asset." + path.Base(key)}
	if listed := r.listedAsset(key); listed != "" {
		names = append([]string{listed}, names...)
	}
	if r.options.Open != nil && n.Get("Key") != nil {
		for _, name := range names {
			file, err := r.options.Open(name)
			switch {
			case err == nil:
				return file, r.definitionIn(file, n), nil
			case !errors.Is(err, fs.ErrNotExist):
				return nil, nil, err
			}
		}
	}
	return nil, nil, inS3(key)
}

// inS3 is the error about a definition that is an object in S3.
func inS3(name string) error {
	return &SkipError{"the definition is the object " + name + " in S3, and no file of it is beside the template; give the definition's own file"}
}

// listedAsset returns the name of the file that becomes the object of that key, as the CDK's list of assets tells it: of
// Stack.template.json it is Stack.assets.json. It returns "" where there is no such list or file.
func (r *resolver) listedAsset(key string) string {
	base, found := strings.CutSuffix(filepath.Base(r.template.file.Name), ".template.json")
	if !found || r.options.Open == nil {
		return ""
	}
	list, err := r.options.Open(base + ".assets.json")
	if err != nil {
		return ""
	}
	root, problem := source.Read(list, nil)
	if problem != nil {
		return ""
	}
	files := root.Get("files")
	if files == nil {
		return ""
	}
	for i := range files.Members {
		destinations := files.Members[i].Node.Get("destinations")
		if destinations == nil {
			continue
		}
		for j := range destinations.Members {
			if destinations.Members[j].Node.Get("objectKey").Text() == key {
				return filepath.FromSlash(files.Members[i].Node.Get("source").Get("path").Text())
			}
		}
	}
	return ""
}

// included returns the content of the file that AWS::Include names; nil where there is none, with a problem.
func (r *resolver) included(argument, whole *source.Node) *source.Node {
	location := value.Plain(r.resolve(cmp.Or(argument.Get("Parameters").Get("Location"), source.NewString("", whole.Span))).Value)
	switch name := argument.Get("Name").Text(); {
	case name != "AWS::Include":
		r.skipped = &SkipError{"a part of the definition is made by the macro " + name + ", which runs only in a deployment"}
		return nil
	case location == "" || strings.Contains(location, "://") || strings.Contains(location, "${") || r.options.Open == nil:
		r.skipped = &SkipError{fmt.Sprintf("AWS::Include reads %q, which is not a file beside the template", location)}
		return nil
	}
	file, err := r.options.Open(location)
	if err != nil {
		r.unread = true
		r.problem(source.Error, rules.DefinitionNotFound, whole.Span, "AWS::Include: %v", err)
		return nil
	}
	root, problem := source.Read(file, Tags)
	if problem != nil {
		r.unread = true
		r.problems = append(r.problems, *problem)
		return nil
	}
	return r.part(inFile(root, file))
}

// inFile marks the places of a tree as places in a file.
func inFile(root *source.Node, file *source.File) *source.Node {
	for n := range root.Pointers() {
		n.Span.File = file
		for i := range n.Members {
			n.Members[i].KeySpan.File = file
		}
	}
	return root
}

// withIncluded returns the members of an object in which Fn::Transform is beside others: the included file's
// come first.
func (r *resolver) withIncluded(n *source.Node) *source.Node {
	var members []source.NodeMember
	for _, m := range n.Members {
		if m.Key != transformKey {
			members = append(members, m)
			continue
		}
		if content := r.included(m.Node, n); content != nil && content.Kind == value.KindObject {
			members = append(members, content.Members...)
		}
	}
	return source.NewObject(members, n.Span)
}

const transformKey = "Fn::Transform"

package openapi

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"maps"
	"slices"
	"strings"
)

//go:embed docs.html
var docsHTML string

// View models of the page.
type (
	pageView struct {
		Info     DocumentInfo
		Exposed  bool // unencrypted: others can read requests
		Sections []sectionView
		Schemas  []schemaView
	}
	sectionView struct {
		OperationTag
		Operations []operationView
	}
	operationView struct {
		ID, Method, Path, Summary, About string
		Key                              bool // requires an API key
		Fields                           []fieldView
		Answers                          []answerView
	}
	fieldView struct {
		Name, Where, Type, Default, About string
		Required                          bool
	}
	answerView struct {
		Status, About string
		Content       []contentView
	}
	contentView struct {
		Kind, Type string
		Links      []string // schemas that it references
	}
	schemaView struct {
		Name   string
		Type   string // for one without properties
		Fields []fieldView
	}
)

// renderPage renders the document as HTML; exposed adds a warning that the connection is not encrypted.
func renderPage(d *Document, exposed bool) ([]byte, error) {
	t, err := template.New("docs").Parse(docsHTML)
	if err != nil {
		return nil, fmt.Errorf("read the template of the API page: %w", err)
	}
	view := pageView{Info: d.Info, Exposed: exposed}
	for _, tag := range d.Tags {
		view.Sections = append(view.Sections, d.sectionOf(tag))
	}
	for _, name := range slices.Sorted(maps.Keys(d.Components.Schemas)) {
		s := d.Components.Schemas[name]
		view.Schemas = append(view.Schemas, schemaView{Name: name, Type: s.describeSchema(), Fields: s.schemaFields("")})
	}
	var out bytes.Buffer
	if err := t.Execute(&out, view); err != nil {
		return nil, fmt.Errorf("write the API page: %w", err)
	}
	return out.Bytes(), nil
}

// PathParts returns the path in parts that end with a slash: the page may break a line between them.
func (v operationView) PathParts() []string { return strings.SplitAfter(v.Path, "/") }

func (d *Document) sectionOf(tag OperationTag) sectionView {
	view := sectionView{OperationTag: tag}
	for _, path := range slices.Sorted(maps.Keys(d.Paths)) {
		for _, method := range slices.Sorted(maps.Keys(d.Paths[path])) {
			if op := d.Paths[path][method]; slices.Contains(op.Tags, tag.Name) {
				view.Operations = append(view.Operations, d.operationOf(method, path, op))
			}
		}
	}
	return view
}

func (d *Document) operationOf(method, path string, op *Operation) operationView {
	view := operationView{
		ID:      op.OperationID,
		Method:  strings.ToUpper(method),
		Path:    path,
		Summary: endSentence(op.Summary),
		About:   op.Description,
		Key:     len(op.Security) > 0,
	}
	for _, p := range op.Parameters {
		p = d.resolveParameter(p)
		view.Fields = append(view.Fields, fieldView{
			Name: p.Name, Where: p.In, Type: p.Schema.describeSchema(), About: p.Description, Required: p.Required,
		})
	}
	if op.RequestBody != nil {
		for _, kind := range slices.Sorted(maps.Keys(op.RequestBody.Content)) {
			view.Fields = append(
				view.Fields,
				d.resolveSchema(op.RequestBody.Content[kind].Schema).schemaFields(placeOf(kind))...)
		}
	}
	for _, status := range slices.Sorted(maps.Keys(op.Responses)) {
		view.Answers = append(view.Answers, answerOf(status, d.resolveResponse(op.Responses[status])))
	}
	return view
}

// placeOf returns where the fields of a body of that media type are.
func placeOf(kind string) string {
	if kind == "application/json" {
		return "body"
	}
	return "form"
}

// resolveSchema resolves references and returns the schema with the fields: of several, the first.
func (d *Document) resolveSchema(s *Schema) *Schema {
	switch {
	case s.Ref != "":
		return d.Components.Schemas[refName(s.Ref)]
	case len(s.AnyOf) > 0:
		return d.resolveSchema(s.AnyOf[0])
	default:
		return s
	}
}

func answerOf(status string, r *Response) answerView {
	view := answerView{Status: status, About: r.Description}
	for _, kind := range slices.Sorted(maps.Keys(r.Content)) {
		s := r.Content[kind].Schema
		content := contentView{Kind: kind, Links: s.linkedSchemas()}
		if len(content.Links) == 0 {
			content.Type = s.describeSchema()
		}
		view.Content = append(view.Content, content)
	}
	return view
}

// linkedSchemas returns the named schemas that s is or may be.
func (s *Schema) linkedSchemas() []string {
	if s.Ref != "" {
		return []string{refName(s.Ref)}
	}
	var names []string
	for _, one := range s.AnyOf {
		names = append(names, one.linkedSchemas()...)
	}
	return names
}

func (s *Schema) schemaFields(where string) []fieldView {
	var fields []fieldView
	for _, name := range s.propertyNames() {
		p := s.Properties[name]
		f := fieldView{
			Name:     name,
			Where:    where,
			Type:     p.describeSchema(),
			About:    p.descriptionText(),
			Required: slices.Contains(s.Required, name),
		}
		if p.Default != nil {
			f.Default = fmt.Sprint(p.Default)
		}
		fields = append(fields, f)
	}
	return fields
}

// endSentence adds a period to a summary that a description follows.
func endSentence(summary string) string {
	if summary == "" || strings.ContainsAny(summary[len(summary)-1:], ".?!") {
		return summary
	}
	return summary + "."
}

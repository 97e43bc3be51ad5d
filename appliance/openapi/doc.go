package openapi

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Document is the part of an OpenAPI 3.1 document that the page shows.
type Document struct {
	Info       DocumentInfo
	Tags       []OperationTag
	Paths      map[string]map[string]*Operation
	Components struct {
		Parameters map[string]*Parameter
		Responses  map[string]*Response
		Schemas    map[string]*Schema
	}
}

// Objects of the OpenAPI specification.
type (
	// DocumentInfo is the document's title and version.
	DocumentInfo struct{ Title, Version, Description string }
	// OperationTag is a group of operations.
	OperationTag struct{ Name, Description string }
	// Operation is one method of one path.
	Operation struct {
		Tags                              []string
		OperationID, Summary, Description string
		Parameters                        []*Parameter
		RequestBody                       *RequestBody
		Responses                         map[string]*Response
		Security                          []map[string][]string
	}
	// Parameter is a header, path or query parameter.
	Parameter struct {
		Ref                   string `json:"$ref"`
		Name, In, Description string
		Required              bool
		Schema                *Schema
	}
	// RequestBody is a request body by media type.
	RequestBody struct {
		Content map[string]struct{ Schema *Schema }
	}
	// Response is a response by media type.
	Response struct {
		Ref         string `json:"$ref"`
		Description string
		Content     map[string]struct{ Schema *Schema }
	}
	// Schema is a JSON Schema.
	Schema struct {
		Ref         string `json:"$ref"`
		Type        any    // a name, or a list of names
		Format      string
		Description string
		Enum        []any
		Const       any
		Default     any
		Minimum     *float64
		Maximum     *float64
		Above       *float64 `json:"exclusiveMinimum"`
		MinLength   *int
		MaxLength   *int
		Pattern     string
		Items       *Schema
		Required    []string
		Properties  map[string]*Schema
		AnyOf       []*Schema
	}
)

func refName(ref string) string { return ref[strings.LastIndex(ref, "/")+1:] }

func (d *Document) resolveParameter(p *Parameter) *Parameter {
	if p.Ref != "" {
		return d.Components.Parameters[refName(p.Ref)]
	}
	return p
}

func (d *Document) resolveResponse(r *Response) *Response {
	if r.Ref != "" {
		return d.Components.Responses[refName(r.Ref)]
	}
	return r
}

// describeSchema describes a schema in a line: its type, its enum, its bounds.
func (s *Schema) describeSchema() string {
	if s == nil {
		return "anything"
	}
	var parts []string
	switch {
	case s.Ref != "":
		return refName(s.Ref)
	case s.Const != nil:
		return fmt.Sprintf("%q", s.Const)
	case s.Enum != nil:
		for _, v := range s.Enum {
			parts = append(parts, fmt.Sprintf("%q", v))
		}
		return strings.Join(parts, " | ")
	case s.AnyOf != nil:
		for _, one := range s.AnyOf {
			parts = append(parts, one.describeSchema())
		}
		return strings.Join(parts, " or ")
	case s.Items != nil:
		return "array of " + s.Items.describeSchema()
	}
	return strings.TrimSpace(s.typeName() + " " + s.describeBounds())
}

func (s *Schema) typeName() string {
	switch t := s.Type.(type) {
	case string:
		if s.Format != "" {
			return s.Format
		}
		return t
	case []any:
		names := make([]string, len(t))
		for i, n := range t {
			names[i] = fmt.Sprint(n)
		}
		return strings.Join(names, " or ")
	default:
		return "anything"
	}
}

func (s *Schema) describeBounds() string {
	var parts []string
	if s.Minimum != nil {
		parts = append(parts, fmt.Sprintf("≥ %g", *s.Minimum))
	}
	if s.Above != nil {
		parts = append(parts, fmt.Sprintf("> %g", *s.Above))
	}
	if s.Maximum != nil {
		parts = append(parts, fmt.Sprintf("≤ %g", *s.Maximum))
	}
	if s.MaxLength != nil {
		parts = append(parts, fmt.Sprintf("at most %d characters", *s.MaxLength))
	}
	if s.Pattern != "" {
		parts = append(parts, s.Pattern)
	}
	return strings.Join(parts, ", ")
}

// descriptionText returns the description, also from within a nullable schema's anyOf.
func (s *Schema) descriptionText() string {
	if s.Description == "" && len(s.AnyOf) > 0 {
		return s.AnyOf[0].Description
	}
	return s.Description
}

// propertyNames returns a schema's properties, the required ones first.
func (s *Schema) propertyNames() []string {
	names := slices.Sorted(maps.Keys(s.Properties))
	slices.SortStableFunc(names, func(a, b string) int { return s.propertyRank(a) - s.propertyRank(b) })
	return names
}

func (s *Schema) propertyRank(name string) int {
	if slices.Contains(s.Required, name) {
		return 0
	}
	return 1
}

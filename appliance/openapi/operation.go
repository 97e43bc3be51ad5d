package openapi

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// OperationInput is what an operation of the document takes: where it is, and one JSON Schema (2020-12) of everything
// that a request to it can say.
type OperationInput struct {
	Method, Path         string // POST, /api/v1/calls/{call_id}/cancel
	Summary, Description string
	PathNames            []string // parameters of the path
	QueryNames           []string // parameters of the query
	HasBody              bool     // the other properties of the schema are the JSON body
	// Schema is an object whose properties are the parameters of path and query, and the fields of the JSON body. It
	// refers to nothing outside of itself.
	Schema map[string]any
}

// parseDocument returns the document as plain values, which nobody changes.
var parseDocument = sync.OnceValues(func() (document map[string]any, err error) {
	source, err := DocumentJSON()
	if err != nil {
		return nil, err
	}
	if err = json.Unmarshal(source, &document); err != nil {
		return nil, fmt.Errorf("read the API document: %w", err)
	}
	return document, nil
})

// ParseDocument parses the document in advance, so that later calls of this package need not.
func ParseDocument() { _, _ = parseDocument() } // its error comes again where it counts

// FindInput returns the input of the operation of an operationId. Of a body with several forms it is the first, an
// object.
func FindInput(operationID string) (OperationInput, error) {
	document, err := parseDocument()
	if err != nil {
		return OperationInput{}, err
	}
	paths, _ := document["paths"].(map[string]any)
	for path, one := range paths {
		methods, _ := one.(map[string]any)
		for method, one := range methods {
			if operation, _ := one.(map[string]any); operation["operationId"] == operationID {
				resolved, err := resolveRefs(document, operation, 0)
				if err != nil {
					return OperationInput{}, fmt.Errorf("operation %s: %w", operationID, err)
				}
				return collectInput(strings.ToUpper(method), path, resolved.(map[string]any)), nil
			}
		}
	}
	return OperationInput{}, fmt.Errorf("the API document has no operation %q", operationID)
}

// RenameParameter gives a parameter of the path another name.
func (in *OperationInput) RenameParameter(from, to string) {
	in.Path = strings.ReplaceAll(in.Path, "{"+from+"}", "{"+to+"}")
	in.PathNames[slices.Index(in.PathNames, from)] = to
	properties, _ := in.Schema["properties"].(map[string]any)
	properties[to] = properties[from]
	delete(properties, from)
	required, _ := in.Schema["required"].([]any)
	required[slices.Index(required, any(from))] = to
}

// collectInput joins the parameters and the body of an operation without references.
func collectInput(method, path string, operation map[string]any) OperationInput {
	in := OperationInput{Method: method, Path: path}
	in.Summary, _ = operation["summary"].(string)
	in.Description, _ = operation["description"].(string)
	properties, required := map[string]any{}, []any{}
	parameters, _ := operation["parameters"].([]any)
	for _, one := range parameters {
		p, _ := one.(map[string]any)
		name, _ := p["name"].(string)
		switch p["in"] {
		case "path":
			in.PathNames = append(in.PathNames, name)
		case "query":
			in.QueryNames = append(in.QueryNames, name)
		default:
			continue
		}
		schema, _ := p["schema"].(map[string]any)
		properties[name] = describeParameter(schema, p["description"])
		if p["required"] == true {
			required = append(required, name)
		}
	}
	if body := bodySchema(operation); body != nil {
		in.HasBody = true
		fields, _ := body["properties"].(map[string]any)
		maps.Copy(properties, fields)
		needed, _ := body["required"].([]any)
		required = append(required, needed...)
	}
	in.Schema = map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		in.Schema["required"] = required
	}
	return in
}

// describeParameter returns a parameter's schema with its description.
func describeParameter(schema map[string]any, description any) map[string]any {
	described := maps.Clone(schema)
	if described == nil {
		described = map[string]any{}
	}
	if description != nil {
		described["description"] = description
	}
	return described
}

// bodySchema returns the schema of the JSON body, the first form of several; nil without a body.
func bodySchema(operation map[string]any) map[string]any {
	schema := operation
	for _, name := range []string{"requestBody", "content", "application/json", "schema"} {
		schema, _ = schema[name].(map[string]any)
	}
	if forms, several := schema["anyOf"].([]any); several {
		schema, _ = forms[0].(map[string]any)
	}
	return schema
}

// maxRefDepth is more than any request of the document is nested; a schema that contains itself reaches it.
const maxRefDepth = 40

// resolveRefs returns a copy of a value with every {"$ref": "#/…"} replaced by what it names. Responses are left out.
func resolveRefs(document map[string]any, value any, depth int) (any, error) {
	if depth > maxRefDepth {
		return nil, fmt.Errorf("its schema is nested deeper than %d, or contains itself", maxRefDepth)
	}
	switch v := value.(type) {
	case []any:
		all := make([]any, len(v))
		for i := range v {
			one, err := resolveRefs(document, v[i], depth+1)
			if err != nil {
				return nil, err
			}
			all[i] = one
		}
		return all, nil
	case map[string]any:
		if ref, is := v["$ref"].(string); is {
			return resolveRefs(document, findRef(document, ref), depth+1)
		}
		all := make(map[string]any, len(v))
		for name, part := range v {
			if name == "responses" && depth == 0 {
				continue
			}
			one, err := resolveRefs(document, part, depth+1)
			if err != nil {
				return nil, err
			}
			all[name] = one
		}
		return all, nil
	}
	return value, nil
}

// findRef returns what a reference within the document names; nil for nothing.
func findRef(document map[string]any, ref string) any {
	var at any = document
	for name := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
		object, _ := at.(map[string]any)
		at = object[name]
	}
	return at
}

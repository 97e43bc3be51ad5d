package openapi

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

//go:embed shared.yaml call-platform.yaml destinations.yaml audit.yaml replays.yaml speech-to-text.yaml openai.yaml
var sources embed.FS

// loadDocument joins the YAML files into one OpenAPI 3.1 document, once. Mappings keep the order in which they are
// written; one that several files have (paths, components) is merged in the order of the files.
var loadDocument = sync.OnceValues(func() (*yaml.Node, error) {
	joined := &yaml.Node{Kind: yaml.MappingNode}
	for _, name := range []string{
		"shared.yaml", "call-platform.yaml", "destinations.yaml", "audit.yaml", "replays.yaml",
		"speech-to-text.yaml", "openai.yaml",
	} {
		source, err := sources.ReadFile(name)
		if err != nil {
			return nil, err
		}
		var file yaml.Node
		if err := yaml.Unmarshal(source, &file); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if err := mergeMapping(joined, file.Content[0]); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return joined, inlineProperties(joined, joined)
})

// inlineProperties replaces references to a property of another schema by the property, so that two schemas can share
// it.
func inlineProperties(document, n *yaml.Node) error {
	for i, child := range n.Content {
		ref := findValue(child, "$ref")
		if child.Kind != yaml.MappingNode || ref == nil || !strings.Contains(ref.Value, "/properties/") {
			if err := inlineProperties(document, child); err != nil {
				return err
			}
			continue
		}
		target := document
		for name := range strings.SplitSeq(strings.TrimPrefix(ref.Value, "#/"), "/") {
			if target = findValue(target, name); target == nil {
				return fmt.Errorf("line %d: %s leads nowhere", ref.Line, ref.Value)
			}
		}
		n.Content[i] = target
	}
	return nil
}

// encodeDocument returns the document as JSON without the paths that begin with leaveOut, unless it is empty.
func encodeDocument(joined *yaml.Node, leaveOut string) ([]byte, error) {
	document := *joined
	if leaveOut != "" {
		document.Content = slices.Clone(joined.Content)
		for i := 0; i < len(document.Content); i += 2 {
			switch document.Content[i].Value {
			case "paths":
				document.Content[i+1] = withoutKeys(document.Content[i+1], leaveOut)
			case "webhooks":
				document.Content[i+1] = &yaml.Node{Kind: yaml.MappingNode}
			}
		}
	}
	var out bytes.Buffer
	err := writeNode(&out, &document)
	return out.Bytes(), err
}

// withoutKeys returns a copy of a mapping without the keys that begin with prefix.
func withoutKeys(mapping *yaml.Node, prefix string) *yaml.Node {
	rest := &yaml.Node{Kind: yaml.MappingNode}
	for i := 0; i < len(mapping.Content); i += 2 {
		if !strings.HasPrefix(mapping.Content[i].Value, prefix) {
			rest.Content = append(rest.Content, mapping.Content[i], mapping.Content[i+1])
		}
	}
	return rest
}

// mergeMapping adds the entries of a mapping to another. A key that both have must hold mappings in both.
func mergeMapping(into, from *yaml.Node) error {
	for i := 0; i < len(from.Content); i += 2 {
		key, value := from.Content[i], from.Content[i+1]
		present := findValue(into, key.Value)
		switch {
		case present == nil:
			into.Content = append(into.Content, key, value)
		case present.Kind != yaml.MappingNode || value.Kind != yaml.MappingNode:
			return fmt.Errorf("line %d: %s is defined twice", key.Line, key.Value)
		default:
			if err := mergeMapping(present, value); err != nil {
				return err
			}
		}
	}
	return nil
}

func findValue(mapping *yaml.Node, key string) *yaml.Node {
	for i := 0; i < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			return mapping.Content[i+1]
		}
	}
	return nil
}

// writeNode writes a YAML value as JSON.
func writeNode(out *bytes.Buffer, n *yaml.Node) error {
	switch n.Kind {
	case yaml.MappingNode:
		return writeItems(out, '{', '}', n.Content, 2)
	case yaml.SequenceNode:
		return writeItems(out, '[', ']', n.Content, 1)
	case yaml.ScalarNode:
		return writeScalar(out, n)
	}
	return errors.New("the document has a YAML alias or an empty value")
}

// writeItems writes an array, or with step 2 an object, whose keys and values follow each other.
func writeItems(out *bytes.Buffer, opening, closing byte, items []*yaml.Node, step int) error {
	out.WriteByte(opening)
	for i := 0; i < len(items); i += step {
		if i > 0 {
			out.WriteByte(',')
		}
		if step == 2 {
			if err := writeJSON(out, items[i].Value); err != nil {
				return err
			}
			out.WriteByte(':')
		}
		if err := writeNode(out, items[i+step-1]); err != nil {
			return err
		}
	}
	out.WriteByte(closing)
	return nil
}

func writeScalar(out *bytes.Buffer, n *yaml.Node) error {
	var value any
	if err := n.Decode(&value); err != nil {
		return err
	}
	if n.ShortTag() == "!!timestamp" {
		value = n.Value // an example of a date is text in JSON
	}
	if n.ShortTag() == "!!float" {
		out.WriteString(n.Value) // 7.0 stays 7.0
		return nil
	}
	return writeJSON(out, value)
}

func writeJSON(out *bytes.Buffer, value any) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return err
	}
	out.Truncate(out.Len() - 1) // Encode's line break
	return nil
}

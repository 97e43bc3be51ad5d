package scenario

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"

	"munadi/store/jsontext"
)

// followBody updates the response body for slots that were added and removed: a new one gets a property of its name
// beside the others, a removed one loses its properties. Without a body there is nothing to follow.
func (s *Scenario) followBody(added, gone []string) {
	s.ResponseBody = editTree(s.ResponseBody, func(tree *jsonTree) {
		if !tree.isObject {
			return
		}
		tree.dropNames(gone)
		for _, name := range added {
			if !tree.speaksOf(name) {
				at := tree.findHome()
				at.members = append(at.members, jsonMember{name, &jsonTree{text: new("{{" + name + "}}")}})
			}
		}
	})
}

// jsonTree is a JSON value whose objects keep the order of their members.
type jsonTree struct {
	isObject bool
	members  []jsonMember // of an object
	isList   bool
	items    []*jsonTree // of a list
	text     *string     // nil: the value is no text
	other    any         // a number, a boolean or null
}

type jsonMember struct {
	name  string
	value *jsonTree
}

// editTree returns JSON with a change; JSON that cannot be read, and none, is returned unchanged.
func editTree(raw json.RawMessage, change func(*jsonTree)) json.RawMessage {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	tree, err := readTree(d)
	if err != nil {
		return raw
	}
	if _, err := d.Token(); err != io.EOF {
		return raw
	}
	change(tree)
	out, err := jsontext.MarshalUnescaped(tree)
	if err != nil {
		return raw
	}
	return out
}

func readTree(d *json.Decoder) (*jsonTree, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	tree := &jsonTree{}
	switch token := token.(type) {
	case string:
		tree.text = &token
	case json.Delim:
		tree.isObject, tree.isList = token == '{', token == '['
		if err := tree.readBelow(d); err != nil {
			return nil, err
		}
		_, err = d.Token() // the closing bracket
	default:
		tree.other = token
	}
	return tree, err
}

// readBelow reads the members or items.
func (t *jsonTree) readBelow(d *json.Decoder) error {
	for d.More() {
		name := ""
		if t.isObject {
			key, err := d.Token()
			if err != nil {
				return err
			}
			name, _ = key.(string) // the decoder allows no other
		}
		value, err := readTree(d)
		if err != nil {
			return err
		}
		if t.isObject {
			t.members = append(t.members, jsonMember{name, value})
		} else {
			t.items = append(t.items, value)
		}
	}
	return nil
}

// MarshalJSON writes members in their order.
func (t *jsonTree) MarshalJSON() ([]byte, error) {
	switch {
	case t.text != nil:
		return jsontext.MarshalUnescaped(*t.text)
	case t.isList:
		return jsontext.MarshalUnescaped(append([]*jsonTree{}, t.items...))
	case !t.isObject:
		return json.Marshal(t.other)
	}
	var out bytes.Buffer
	out.WriteByte('{')
	for i, m := range t.members {
		if i > 0 {
			out.WriteByte(',')
		}
		for k, part := range []any{m.name, m.value} {
			written, err := jsontext.MarshalUnescaped(part)
			if err != nil {
				return nil, err
			}
			if k == 1 {
				out.WriteByte(':')
			}
			out.Write(written)
		}
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// below returns the values directly in an object or a list.
func (t *jsonTree) below() []*jsonTree {
	all := t.items
	for _, m := range t.members {
		all = append(all, m.value)
	}
	return all
}

// loneName returns the name of a text that is a single {{name}}.
func (t *jsonTree) loneName() string {
	if t.text == nil {
		return ""
	}
	name, _ := loneName(*t.text)
	return name
}

// renameValues renames templates, and the members that have the name of their value.
func (t *jsonTree) renameValues(renamed map[string]string) {
	for i := range t.members {
		m := &t.members[i]
		if to, found := renamed[m.name]; found && m.value.loneName() == m.name {
			m.name = to
		}
	}
	for _, value := range t.below() {
		value.renameValues(renamed)
	}
	if t.text != nil {
		*t.text = renameInTemplate(*t.text, renamed)
	}
}

// renameRequired renames the properties that a JSON Schema lists.
func (t *jsonTree) renameRequired(renamed map[string]string) {
	for _, m := range t.members {
		for i := range m.value.members {
			if to, found := renamed[m.value.members[i].name]; found && m.name == "properties" {
				m.value.members[i].name = to
			}
		}
		for _, item := range m.value.items {
			if item.text == nil || m.name != "required" {
				continue
			}
			if to, found := renamed[*item.text]; found {
				*item.text = to
			}
		}
	}
}

// dropNames removes the members and items that are one of the names alone, and the names in other texts.
func (t *jsonTree) dropNames(names []string) {
	gone := map[string]bool{}
	for _, name := range names {
		gone[name] = true
	}
	t.members = slices.DeleteFunc(t.members, func(m jsonMember) bool { return gone[m.value.loneName()] })
	t.items = slices.DeleteFunc(t.items, func(item *jsonTree) bool { return gone[item.loneName()] })
	for _, value := range t.below() {
		value.dropNames(names)
	}
	if t.text != nil {
		*t.text = replaceNames(*t.text, func(p TemplatePart) string {
			if gone[p.Name] {
				return ""
			}
			return p.Placeholder()
		})
	}
}

// speaksOf reports whether a text has a placeholder of a name.
func (t *jsonTree) speaksOf(name string) (found bool) {
	if t.text != nil {
		replaceNames(*t.text, func(p TemplatePart) string {
			found = found || p.Name == name
			return ""
		})
	}
	for _, value := range t.below() {
		found = found || value.speaksOf(name)
	}
	return found
}

// findHome returns the object that a new property belongs to: the only member, where that is an object, else the
// object itself.
func (t *jsonTree) findHome() *jsonTree {
	if len(t.members) == 1 && t.members[0].value.isObject {
		return t.members[0].value.findHome()
	}
	return t
}

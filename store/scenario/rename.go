package scenario

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// RenameSteps updates the references to steps whose ids have changed, given by old id.
func (s *Scenario) RenameSteps(renamed map[string]string) {
	if len(renamed) == 0 {
		return
	}
	rename := func(id *string) {
		if to, found := renamed[*id]; found {
			*id = to
		}
	}
	s.eachTransition(rename)
	for i := range s.Tests {
		for k := range s.Tests[i].Expect.Steps {
			rename(&s.Tests[i].Expect.Steps[k])
		}
	}
}

// eachTransition visits each id by which a step is reached.
func (s *Scenario) eachTransition(visit func(id *string)) {
	visit(&s.Start)
	for i := range s.Steps {
		step := &s.Steps[i]
		visit(&step.Next)
		visit(&step.OnFailure)
		for k := range step.Cases {
			visit(&step.Cases[k].Next)
		}
	}
}

// RenameValues updates the references to slots and variables whose names have changed, given by old name: templates,
// cases, the report, the response body and tests. A name that something else still has keeps its references. It returns
// the names whose references it updated.
func (s *Scenario) RenameValues(names map[string]string) (renamed map[string]string) {
	kept := s.ValueNames()
	renamed = maps.Clone(names)
	maps.DeleteFunc(renamed, func(old, _ string) bool { return kept[old] })
	if len(renamed) == 0 {
		return nil
	}
	rename := func(name *string) {
		if to, found := renamed[*name]; found {
			*name = to
		}
	}
	s.eachTemplate(func(text *string) { *text = renameInTemplate(*text, renamed) })
	for i := range s.Steps {
		for k := range s.Steps[i].Cases {
			rename(&s.Steps[i].Cases[k].Slot)
		}
		lists := [][]string{s.Steps[i].Also, s.Steps[i].Send}
		for _, t := range s.Steps[i].Tools {
			lists = append(lists, t.Send)
		}
		for _, names := range lists {
			for k := range names {
				rename(&names[k])
			}
		}
	}
	s.Report.Values = renameProperties(s.Report.Values, renamed)
	s.Report.Schema = editTree(s.Report.Schema, func(tree *jsonTree) { tree.renameRequired(renamed) })
	s.ResponseBody = editTree(s.ResponseBody, func(tree *jsonTree) { tree.renameValues(renamed) })
	for i := range s.Tests {
		s.Tests[i].Expect.Report = renameKeys(s.Tests[i].Expect.Report, renamed)
		s.Tests[i].Variables = renameKeys(s.Tests[i].Variables, renamed)
	}
	return renamed
}

// eachTemplate visits the spoken lines, transfer targets and prompts.
func (s *Scenario) eachTemplate(visit func(text *string)) {
	lists := []SpokenLines{s.Identify, s.Voicemail}
	for _, q := range s.Questions {
		lists = append(lists, q.Say)
	}
	for i := range s.Steps {
		step := &s.Steps[i]
		visit(&step.To)
		visit(&step.Prompt)
		for k := range step.Targets {
			visit(&step.Targets[k])
		}
		for _, list := range step.LineLists() {
			lists = append(lists, *list.Lines)
		}
	}
	for _, lines := range lists {
		for i := range lines {
			visit(&lines[i].Text)
		}
	}
}

// renameInTemplate renames the placeholders of a text; one that is no template is left unchanged.
func renameInTemplate(text string, renamed map[string]string) string {
	return replaceNames(text, func(part TemplatePart) string {
		if to, found := renamed[part.Name]; found {
			part.Name = to
		}
		return part.Placeholder()
	})
}

// replaceNames replaces each placeholder of a text; one that is no template is left unchanged.
func replaceNames(text string, with func(TemplatePart) string) string {
	parts, err := ParseTemplate(text)
	if err != nil || IsFixed(text) {
		return text
	}
	var out strings.Builder
	for _, part := range parts {
		if part.Name == "" {
			out.WriteString(part.Literal)
		} else {
			out.WriteString(with(part))
		}
	}
	return out.String()
}

// Placeholder returns the part as it is written in a template.
func (p TemplatePart) Placeholder() string {
	if p.Filter == "" {
		return "{{" + p.Name + "}}"
	}
	return "{{" + p.Name + "|" + string(p.Filter) + "}}"
}

// renameProperties renames templates in the values of a report, and the properties that have the name of their value.
func renameProperties(values map[string]json.RawMessage, renamed map[string]string) map[string]json.RawMessage {
	if values == nil {
		return nil
	}
	out := map[string]json.RawMessage{}
	for _, property := range slices.Sorted(maps.Keys(values)) {
		raw := values[property]
		if to, found := renamed[property]; found && string(raw) == `"{{`+property+`}}"` {
			property = to
		}
		out[property] = editTree(raw, func(tree *jsonTree) { tree.renameValues(renamed) })
	}
	return out
}

func renameKeys(values map[string]any, renamed map[string]string) map[string]any {
	if values == nil {
		return nil
	}
	out := map[string]any{}
	for name, value := range values {
		if to, found := renamed[name]; found {
			name = to
		}
		out[name] = value
	}
	return out
}

package console

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"munadi/store/scenario"
	"munadi/ui/page"
)

// plainScenario is the record without methods, whose fields become the source's.
type plainScenario scenario.Scenario

// scenarioSource is what people edit: a scenario without what only the platform sets.
type scenarioSource struct {
	plainScenario
	BuiltIn   *bool      `json:"built_in,omitempty"`
	CreatedAt *time.Time `json:"created_at,omitempty"`
	UpdatedAt *time.Time `json:"updated_at,omitempty"`
}

// sourceOf is a scenario as people edit it.
func sourceOf(s scenario.Scenario) (string, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(scenarioSource{plainScenario: plainScenario(s)}); err != nil {
		return "", fmt.Errorf("write a scenario's source: %w", err)
	}
	return strings.TrimSuffix(out.String(), "\n"), nil
}

// linesAround is how many lines are shown on each side of a fault.
const linesAround = 2

// locateFaults puts faults to their lines in the source.
func locateFaults(source string, faults []scenario.ScenarioViolation) []page.ScenarioFault {
	lines, where := strings.Split(source, "\n"), lineNumbers(source)
	out := make([]page.ScenarioFault, len(faults))
	for i, fault := range faults {
		out[i] = faultAt(lines, placeOf(where, fault.Field))
		out[i].Field, out[i].Message = fault.Field, fault.Message
	}
	return out
}

// faultAt is a fault on a line, with the lines about it; line 0 is no place.
func faultAt(lines []string, line int) page.ScenarioFault {
	f := page.ScenarioFault{Line: line}
	if line == 0 {
		return f
	}
	for n := max(1, line-linesAround); n <= min(len(lines), line+linesAround); n++ {
		f.Around = append(f.Around, page.NumberedLine{Number: n, Text: strings.TrimRight(lines[n-1], "\r"), Here: n == line})
	}
	return f
}

// placeOf is the line of a path, or of what it lies in, where that is missing.
func placeOf(where map[string]int, path string) int {
	for path != "" {
		if line := where[path]; line > 0 {
			return line
		}
		path = path[:max(strings.LastIndexByte(path, '.'), 0)]
	}
	return where[""]
}

// lineNumbers is the line on which each value of a JSON text begins, by its dotted path; as far as the text is sound.
func lineNumbers(source string) map[string]int {
	w := jsonWalker{d: json.NewDecoder(strings.NewReader(source)), source: source, where: map[string]int{}, line: 1}
	w.walkValue("")
	return w.where
}

// jsonWalker goes through a JSON text.
type jsonWalker struct {
	d      *json.Decoder
	source string
	where  map[string]int
	from   int64 // the place up to which lines are counted
	line   int
}

// nextToken is the next one, whose line is counted; false at the end of what is sound.
func (w *jsonWalker) nextToken() (json.Token, bool) {
	t, err := w.d.Token()
	if err != nil && err != io.EOF {
		return nil, false
	}
	end := w.d.InputOffset()
	w.line += strings.Count(w.source[w.from:end], "\n")
	w.from = end
	return t, err == nil
}

// walkValue goes through one value. Texts hold no line breaks, so that a token's end is on the line of its beginning.
func (w *jsonWalker) walkValue(path string) bool {
	t, ok := w.nextToken()
	if !ok {
		return false
	}
	if w.where[path] == 0 {
		w.where[path] = w.line
	}
	switch t {
	case json.Delim('{'):
		return w.walkObject(path)
	case json.Delim('['):
		return w.walkArray(path)
	}
	return true
}

func (w *jsonWalker) walkObject(path string) bool {
	for w.d.More() {
		key, ok := w.nextToken()
		name, isText := key.(string)
		if !ok || !isText {
			return false
		}
		below := name
		if path != "" {
			below = path + "." + name
		}
		w.where[below] = w.line
		if !w.walkValue(below) {
			return false
		}
	}
	_, ok := w.nextToken()
	return ok
}

func (w *jsonWalker) walkArray(path string) bool {
	for i := 0; w.d.More(); i++ {
		if !w.walkValue(fmt.Sprintf("%s.%d", path, i)) {
			return false
		}
	}
	_, ok := w.nextToken()
	return ok
}

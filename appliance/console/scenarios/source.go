package scenarios

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"munadi/appliance/service"
	"munadi/store/excerpt"
	"munadi/store/scenario"
	"munadi/ui/locale"
	"munadi/ui/scenarios"
)

// plainScenario is a scenario without its methods, embedded for its JSON fields.
type plainScenario scenario.Scenario

// scenarioSource is the JSON that users edit: a scenario without its read-only fields, and without its status, which
// they choose when they save it.
type scenarioSource struct {
	plainScenario
	Status    *string    `json:"status,omitempty"`
	BuiltIn   *bool      `json:"built_in,omitempty"`
	CreatedAt *time.Time `json:"created_at,omitempty"`
	UpdatedAt *time.Time `json:"updated_at,omitempty"`
}

// scenarioJSON returns a scenario as indented JSON for the editor.
func scenarioJSON(s scenario.Scenario) (string, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(scenarioSource{plainScenario: plainScenario(s)}); err != nil {
		return "", fmt.Errorf("write a scenario's source: %w", err)
	}
	return strings.TrimSuffix(out.String(), "\n"), nil
}

// linesAround is the number of lines shown before and after a fault.
const linesAround = 2

// locateFaults finds the source line of each fault, and describes it in the page's language.
func locateFaults(source string, faults service.FieldViolations, l locale.Language) []scenarios.ScenarioFault {
	lines, where := strings.Split(source, "\n"), lineNumbers(source)
	out := make([]scenarios.ScenarioFault, len(faults))
	for i, fault := range faults {
		out[i] = faultAt(lines, lineOfPath(where, fault.Field))
		out[i].Field, out[i].Message = fault.Field, locale.ScenarioFault(l, fault.Message)
	}
	return out
}

// faultAt returns a fault on a line, with the lines around it; line 0 means an unknown position.
func faultAt(lines []string, line int) scenarios.ScenarioFault {
	f := scenarios.ScenarioFault{Line: line}
	if line == 0 {
		return f
	}
	for n := max(1, line-linesAround); n <= min(len(lines), line+linesAround); n++ {
		text := excerpt.TruncateText(strings.TrimRight(lines[n-1], "\r"), maxShownLine)
		f.Around = append(f.Around, scenarios.NumberedLine{Number: n, Text: text, Here: n == line})
	}
	return f
}

// maxShownLine is the number of characters of a line that are shown: JSON may be a single line.
const maxShownLine = 300

// lineOfPath returns the line of a path, or of the nearest enclosing value that exists.
func lineOfPath(where map[string]int, path string) int {
	for path != "" {
		if line := where[path]; line > 0 {
			return line
		}
		path = path[:max(strings.LastIndexByte(path, '.'), 0)]
	}
	return where[""]
}

// lineNumbers returns the line on which each value of a JSON text begins, by its dotted path, up to the first syntax
// error.
func lineNumbers(source string) map[string]int {
	w := jsonWalker{d: json.NewDecoder(strings.NewReader(source)), source: source, where: map[string]int{}, line: 1}
	w.walkValue("")
	return w.where
}

// jsonWalker walks a JSON text and records line numbers.
type jsonWalker struct {
	d      *json.Decoder
	source string
	where  map[string]int
	from   int64 // offset up to which lines are counted
	line   int
}

// nextToken returns the next token and counts its lines; false at the end of the valid text.
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

// walkValue walks one value. JSON strings contain no line breaks, so a token ends on the line on which it begins.
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

package scenario_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"munadi/store/scenario"
)

// scenarioForm returns a scenario's JSON with id and name, and the rest as given.
func scenarioForm(rest string) []byte { return []byte(`{"id":"x","name":"X",` + rest + `}`) }

const (
	oneStep = `"steps":[{"id":"a","type":"say","say":"مرحبا"}]`
	asking  = `{"id":"q","type":"ask","say":"كم","slot":{"name":"n","type":"number"}}`
)

// joinFaults formats violations as "field: message" lines.
func joinFaults(t *testing.T, data []byte) []string {
	t.Helper()
	_, violations, err := scenario.DecodeScenario(t.Context(), data)
	if err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	var all []string
	for _, v := range violations {
		all = append(all, v.Field+": "+v.Message)
	}
	return all
}

func TestCheck(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ا", 2001)
	for name, c := range map[string]struct {
		rest string
		want []string // beginnings of "field: message", in order
	}{
		"sound":                {oneStep, nil},
		"no steps":             {`"steps":[]`, []string{"steps: must not be empty"}},
		"steps missing":        {`"language":"ar"`, []string{"steps: must not be empty"}},
		"text too long":        {`"steps":[{"id":"a","type":"say","say":"` + long + `"}]`, []string{"steps.0.say: has more than 2000"}},
		"empty line":           {`"steps":[{"id":"a","type":"say","say":["مرحبا"," "]}]`, []string{"steps.0.say.1: must not be empty"}},
		"nothing to say":       {`"steps":[{"id":"a","type":"say"}]`, []string{"steps.0.say: must have at least one line"}},
		"type":                 {`"steps":[{"id":"a","type":"sing","say":"لا"}]`, []string{"steps.0.type: must be one of say, ask"}},
		"id":                   {`"steps":[{"id":"a b","type":"say","say":"لا"}]`, []string{"steps.0.id: must have 1 to 64"}},
		"id twice":             {`"steps":[{"id":"a","type":"say","say":"لا"},{"id":"a","type":"say","say":"لا"}]`, []string{"steps.1.id: is also the id of steps.0"}},
		"unknown next":         {`"steps":[{"id":"a","type":"say","say":"لا","next":"z"}]`, []string{"steps.0.next: is not the id of a step: z"}},
		"unknown start":        {`"start":"z",` + oneStep, []string{"start: is not the id of a step: z"}},
		"unknown failure":      {`"steps":[{"id":"q","type":"ask","say":"كم","on_failure":"z","slot":{"name":"n","type":"number"}}]`, []string{"steps.0.on_failure: is not the id of a step"}},
		"no slot":              {`"steps":[{"id":"q","type":"ask","say":"كم"}]`, []string{"steps.0.slot: is required in a step of type ask"}},
		"slot type":            {`"steps":[{"id":"q","type":"ask","say":"كم","slot":{"name":"n","type":"colour"}}]`, []string{"steps.0.slot.type: must be one of yes_no"}},
		"slot name":            {`"steps":[{"id":"q","type":"ask","say":"كم","slot":{"name":"2n","type":"number"}}]`, []string{"steps.0.slot.name: must be a letter"}},
		"slot is a variable":   {`"variables":[{"name":"n"}],"steps":[` + asking + `]`, []string{"steps.0.slot.name: is the name of a variable"}},
		"variable type":        {`"variables":[{"name":"n","type":"colour"},{"name":"m","type":"date","default":"x","choices":["a"]},{"name":"o","type":"choice"},{"name":"p","type":"choice","choices":["a","a",""]}],` + oneStep, []string{"variables.0.type: must be one of text", "variables.1.choices: are only", "variables.1.default: must be a date", "variables.2.choices: must be 1 to", "variables.3.choices.1: must not", "variables.3.choices.2: must not"}},
		"variable twice":       {`"variables":[{"name":"n"},{"name":"n"}],` + oneStep, []string{"variables.1.name: is declared twice"}},
		"slot again, other":    {`"steps":[` + asking + `,{"id":"p","type":"ask","say":"كم","slot":{"name":"n","type":"text"}}]`, []string{"steps.1.slot: must be defined as in steps.0"}},
		"slot again, the same": {`"steps":[` + asking + `,{"id":"p","type":"ask","say":"كم","slot":{"name":"n","type":"number"}}]`, nil},
		"min over max":         {`"steps":[{"id":"q","type":"ask","say":"كم","slot":{"name":"n","type":"number","min":5,"max":4}}]`, []string{"steps.0.slot.max: must not be below min"}},
		"bound of a text":      {`"steps":[{"id":"q","type":"ask","say":"كم","max_wrong":101,"slot":{"name":"n","type":"text"}}]`, []string{"steps.0.max_wrong: must be from 1 to 100", "steps.0.max_wrong: is not for a text, which is taken as it was heard"}},
		"reasks":               {`"steps":[{"id":"q","type":"ask","say":"كم","max_reasks":6,"timeout_seconds":61,"slot":{"name":"n","type":"number"}}]`, []string{"steps.0.timeout_seconds: must be from 1 to 60", "steps.0.max_reasks: must be from 0 to 5"}},
		"choice":               {`"steps":[{"id":"q","type":"ask","say":"كم","slot":{"name":"n","type":"choice"}}]`, []string{"steps.0.slot.choices: must be 1 to"}},
		"choices": {`"steps":[{"id":"q","type":"ask","say":"كم","slot":{"name":"n","type":"choice","choices":[
			{"value":"a","phrases":["أ"],"key":"1"},{"value":"a","phrases":["أ"],"key":"1"},{"value":"b","phrases":[],"key":"12"}]}}]`, []string{
			"steps.0.slot.choices.1.value: must not be empty or the value of another", "steps.0.slot.choices.1.phrases.0: is also a phrase of another",
			"steps.0.slot.choices.1.key: must be one of", "steps.0.slot.choices.2.phrases: must have a phrase by which", "steps.0.slot.choices.2.key: must be one of",
		}},
		"alien fields":         {`"steps":[{"id":"a","type":"say","say":"لا","to":"+966500000000","confirm":true,"on_failure":"a"}]`, []string{"steps.0.confirm: has no effect", "steps.0.on_failure: has no effect", "steps.0.to: has no effect"}},
		"transfer":             {`"steps":[{"id":"a","type":"transfer","to":"05000"}]`, []string{"steps.0.to: must have its telephone number in international form"}},
		"transfer with more":   {`"steps":[{"id":"a","type":"transfer","to":"sip:desk@example.org;maddr=h"}]`, []string{"steps.0.to: must be an E.164"}},
		"template with more":   {`"variables":[{"name":"v"}],"steps":[{"id":"a","type":"transfer","to":"sip:{{v}}@h;maddr=h"}]`, []string{"steps.0.to: must be an E.164"}},
		"transfer by template": {`"variables":[{"name":"v"}],"steps":[{"id":"a","type":"transfer","to":"sip:{{v}}@h"}]`, nil},
		"transfer with keys":   {`"steps":[{"id":"a","type":"transfer","to":"sip:desk@example.org","keys":"ww123#"}]`, nil},
		"keys without a key":   {`"steps":[{"id":"a","type":"transfer","to":"sip:desk@example.org","keys":"ww"}]`, []string{"steps.0.keys: must be at most 41 of"}},
		"keys by template":     {`"variables":[{"name":"v"}],"steps":[{"id":"a","type":"transfer","to":"sip:desk@example.org","keys":"{{v}}1"}]`, []string{"steps.0.keys: must be at most 41 of"}},
		"keys of another step": {`"steps":[{"id":"a","type":"say","say":"x","keys":"1"}]`, []string{"steps.0.keys: has no effect in a step of type say"}},
		"transfer by sip":      {`"steps":[{"id":"a","type":"transfer","to":"sip:desk@example.org"}]`, nil},
		"model without one":    {`"steps":[{"id":"a","type":"llm"}]`, []string{"steps.0.type: needs llm", "steps.0.prompt: must not be empty"}},
		"model":                {`"llm":{"endpoint":"http://x","timeout_seconds":99},` + oneStep, []string{"llm.endpoint: must be", "llm.timeout_seconds: must be"}},
		"model by address":     {`"llm":{"endpoint":"a","url":"http://x","model":"m","key_env":"MUNADI_LLM_KEY"},` + oneStep, []string{"llm.key_env: is set by the operator", "llm.model: is set by the operator", "llm.url: is set by the operator"}},
		"model's slots":        {`"llm":{"endpoint":"a"},"variables":[{"name":"v"}],"steps":[{"id":"m","type":"llm","prompt":"p","slots":[{"name":"n","type":"text"},{"name":"v","type":"text"},{"name":"x","type":"colour"}]},` + asking + `]`, []string{"steps.0.slots.1.name: is the name of a variable", "steps.0.slots.2.type: must be one of", "steps.1.slot: must be defined as in steps.0"}},
		"fetch":                {`"variables":[{"name":"v"}],"steps":[{"id":"f","type":"fetch","tool":"t","send":["v","d"],"say":"لحظة","slots":[{"name":"d","type":"date"}],"on_failure":"e"},{"id":"e","type":"end","say":"{{d|date}}"}]`, nil},
		"fetch without":        {`"steps":[{"id":"f","type":"fetch","send":["x"],"max_turns":2,"prompt":"p"}]`, []string{"steps.0.prompt: has no effect", "steps.0.max_turns: has no effect", "steps.0.tool: must be the name", "steps.0.slots: must name at least one", "steps.0.send.0: is neither a variable nor a slot: x"}},
		"fetch in a loop":      {`"steps":[{"id":"f","type":"fetch","tool":"t","slots":[{"name":"d","type":"date"}],"on_failure":"f"}]`, []string{"steps.0: lies in a loop that never waits"}},
		"branch":               {`"steps":[` + asking + `,{"id":"b","type":"branch","cases":[{"slot":"z","next":"q"},{"slot":"n","equals":[1],"next":""}]}]`, []string{"steps.1.cases.0.slot: is neither", "steps.1.cases.0: must have either", "steps.1.cases.1.equals: must be", "steps.1.cases.1.next: must name"}},
		"aside":                {`"steps":[{"id":"q","type":"ask","say":"كم","also":["n","z"],"slot":{"name":"n","type":"number"}}]`, []string{"steps.0.also.0: must name a slot of another", "steps.0.also.1: must name"}},
		"template":             {`"steps":[{"id":"a","type":"say","say":["{{z}}","{{","}}","{{a b}}","{{n|loud}}"]}]`, []string{"steps.0.say.0: {{z}} is neither", "steps.0.say.1: {{ is not closed", "steps.0.say.2: }} has no {{ before it", "steps.0.say.3: {{a b}} does not name", `steps.0.say.4: {{n|loud}}: "loud" is not one of`}},
		"never reached":        {`"steps":[{"id":"a","type":"end"},{"id":"b","type":"say","say":"لا"}]`, []string{"steps.1: is never reached"}},
		"loop of talk":         {`"steps":[{"id":"a","type":"say","say":"لا"},{"id":"b","type":"say","say":"لا","next":"a"}]`, []string{"steps.0: lies in a loop that never waits", "steps.1: lies in a loop"}},
		"loop without an exit": {`"steps":[` + asking + `,{"id":"b","type":"say","say":"لا","next":"q"}]`, []string{"steps.0: leads into a loop without an exit", "steps.1: leads into"}},
		"loop with an exit":    {`"steps":[` + asking + `,{"id":"b","type":"branch","cases":[{"slot":"n","equals":0,"next":"q"}]}]`, nil},
		"report schema":        {`"report":{"schema":{"type":"objekt"}},` + oneStep, []string{"report.schema: is not a usable JSON Schema"}},
		"report elsewhere":     {`"report":{"schema":{"$ref":"file:///etc/passwd"}},` + oneStep, []string{"report.schema: is not a usable JSON Schema"}},
		"report of the web":    {`"report":{"schema":{"$ref":"http://127.0.0.1/x"}},` + oneStep, []string{"report.schema: is not a usable JSON Schema"}},
		"report is a list":     {`"report":{"schema":[]},` + oneStep, []string{"report.schema: must be an object"}},
		"report without null":  {`"report":{"schema":{"type":"object","properties":{"n":{"type":"number"}}}},"steps":[` + asking + `]`, []string{"report.schema: must allow a report without any answers"}},
		"report values":        {`"report":{"values":{"a":"{{z}}","b":{"c":["{{n|date}}"]}}},"steps":[` + asking + `]`, []string{"report.values.a: {{z}} is neither", "report.values.b.c.0: {{n|date}}: filters are only for spoken texts"}},
		"response":             {`"response_body":{"a":["{{z}}"]},` + oneStep, []string{"response_body.a.0: {{z}} is neither"}},
		"response is a list":   {`"response_body":["{{z}}"],` + oneStep, []string{"response_body: must be an object"}},
		"response is a text":   {`"response_body":"x",` + oneStep, []string{"response_body: must be an object"}},
		"retry":                {`"retry":{"max_attempts":11,"delay_minutes":[0,43201],"on":["completed"]},` + oneStep, []string{"retry.max_attempts: must be", "retry.delay_minutes.0: must be", "retry.delay_minutes.1: must be", "retry.on.0: must be one of"}},
		"hours":                {`"calling_hours":{"monday":[{"from":"18:00","to":"09:00"}],"mon":[]},"time_zone":"Mars/Olympus",` + oneStep, []string{"calling_hours.mon: is not a weekday", "calling_hours.monday.0", "time_zone:"}},
		"durations":            {`"max_duration_seconds":9,"ring_seconds":121,"answering_machine":"shout",` + oneStep, []string{"max_duration_seconds: must be from 10", "ring_seconds: must be from 5", "answering_machine: must be one of"}},
		"opt out":              {`"opt_out_phrases":["x",""],` + oneStep, []string{"opt_out_phrases.1: must not be empty"}},
		"head":                 {`"language":"Arabic!","voice":"` + strings.Repeat("v", 201) + `",` + oneStep, []string{"language: must be a language tag", "voice: has more than 200"}},
		"labels": {`"variables":[{"name":"v","type":"choice","choices":["a"],"label":"يوم","choice_labels":{"a":{"ar":"ألف","en":"A"}}}],
			"steps":[{"id":"q","label":{"en":"How many"},"type":"ask","say":"كم","slot":{"name":"n","label":{"ar":"عدد","en":null},"type":"number"}}]`, nil},
		"labels, wrong": {`"variables":[{"name":"v","label":" ","type":"choice","choices":["a"],"choice_labels":{"b":"ب"}}],"steps":[{"id":"q","label":{"ar":"سطر\nسطر"},"type":"ask","say":"كم",
			"slot":{"name":"n","label":{"en":"` + long[:402] + `"},"type":"choice","choices":[{"value":"a","label":{"ar":"\u0007"},"phrases":["أ"]}]}}]`, []string{
			"variables.0.label: must be one line", "variables.0.choice_labels: has a label for \"b\"", "steps.0.label: must be one line",
			"steps.0.slot.label: has more than 200", "steps.0.slot.choices.0.label: must be one line",
		}},
		// The form itself.
		"labels of other forms": {`"variables":[{"name":"v","label":7}],"steps":[{"id":"a","label":["x"],"type":"say","say":"لا"},{"id":"b","label":{"fr":"x","ar":1},"type":"end"}]`, []string{
			"steps.0.label: must be a text, or an object", "steps.1.label.ar: must be a string", "steps.1.label.fr: is not a known field", "variables.0.label: must be a text, or an object",
		}},
		"unknown field": {`"colour":1,"steps":[{"id":"a","type":"say","say":{"text":"لا","loud":true}}]`, []string{"colour: is not a known field", "steps.0.say.loud: is not a known field"}},
		"other types":   {`"voice":1,"steps":[{"id":"a","type":"say","say":7,"max_reasks":1.5}],"retry":[],"variables":{"a":1}`, []string{"retry: must be an object", "steps.0.max_reasks: must be an integer", "steps.0.say: must be a text", "variables: must be an array", "voice: must be a string"}},
		"form and rules": {`"colour":1,"voice":7,"time_zone":"Mars","variables":[3],"retry":{"max_attempts":11,"delay_minutes":["x",0]},"steps":[{"id":"a","type":"say","say":"لا","next":"b"},8]`, []string{
			"colour: is not a known field", "retry.delay_minutes.0: must be an integer", "steps.1: must be an object", "variables.0: must be an object", "voice: must be a string",
			"steps.0.next: is not the id of a step", "retry.max_attempts: must be", "retry.delay_minutes.1: must be", "time_zone: ",
		}},
		"lines in lines": {`"steps":[{"id":"a","type":"say","say":[["لا"],null]}]`, []string{"steps.0.say.0: must be a text or an object", "steps.0.say.1: must be a text"}},
		"its own fields": {`"built_in":true,"created_at":"nonsense","updated_at":7,` + oneStep, nil},
		"null":           {`"retry":null,"llm":null,"calling_hours":null,"response_body":null,"report":{"schema":null,"values":null},` + oneStep, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := joinFaults(t, scenarioForm(c.rest))
			ok := len(got) == len(c.want)
			for i := range got {
				ok = ok && strings.HasPrefix(got[i], c.want[i])
			}
			if !ok {
				t.Error(cmp.Diff(c.want, got))
			}
		})
	}
}

func TestTooManySteps(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]int{200: 0, 201: 1} {
		var steps []string
		for i := range n {
			steps = append(steps, fmt.Sprintf(`{"id":"s%d","type":"say","say":"لا"}`, i))
		}
		if got := joinFaults(t, scenarioForm(`"steps":[`+strings.Join(steps, ",")+`]`)); len(got) != want {
			t.Errorf("%d steps: %v", n, got)
		}
	}
}

func TestNotJSON(t *testing.T) {
	t.Parallel()
	for _, data := range []string{"", "null", "[]", "7", "{", `{} {}`, `{"id":"x"`, `{"id":"x","id":"y"}`} {
		if _, v, err := scenario.DecodeScenario(t.Context(), []byte(data)); err == nil {
			t.Errorf("%q is read as a scenario, with %v", data, v)
		}
	}
}

func TestLinesHaveThreeForms(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`"أ"`:                                `"أ"`,
		`["أ"]`:                              `"أ"`,
		`["أ","ب"]`:                          `["أ","ب"]`,
		`{"text":"أ"}`:                       `"أ"`,
		`{"text":"<أ>","optional":true}`:     `{"text":"<أ>","optional":true}`,
		`["أ",{"text":"ب","optional":true}]`: `["أ",{"text":"ب","optional":true}]`,
	} {
		var lines scenario.SpokenLines
		if err := json.Unmarshal([]byte(in), &lines); err != nil {
			t.Fatal(err)
		}
		got, err := lines.MarshalJSON()
		if err != nil || string(got) != want {
			t.Errorf("%s is written %s, %v; want %s", in, got, err, want)
		}
	}
}

func TestVariables(t *testing.T) {
	t.Parallel()
	s := scenario.Scenario{Variables: []scenario.ScenarioVariable{
		{Name: "a", Required: true},
		{Name: "b", Required: true, Default: "x"},
		{Name: "text", Type: "text"},
		{Name: "date", Type: "date"},
		{Name: "time", Type: "time"},
		{Name: "n", Type: "number"},
		{Name: "phone", Type: "phone"},
		{Name: "pick", Type: "choice", Choices: []string{"x", "y"}},
	}}
	for _, c := range []struct {
		given map[string]any
		want  string
	}{
		{map[string]any{"a": 1.0, "text": "أ", "date": "2026-11-26", "time": "17:30", "n": 2.5, "phone": "+966500000000", "pick": "y"}, ""},
		{map[string]any{"a": true, "n": "-2.5", "text": "", "date": nil, "time": "", "pick": nil}, ""},
		{nil, "variables.a"},
		{map[string]any{"a": ""}, "variables.a"},
		{map[string]any{"a": "1", "list": []any{}, "Date": "2026-11-26"}, "variables.Date variables.list"},
		{map[string]any{"a": strings.Repeat("a", 2001)}, "variables.a"},
		{map[string]any{"a": []any{}}, "variables.a"},
		{
			map[string]any{"a": "1", "text": 7.0, "date": "26-11-2026", "time": "99:99", "n": "two", "phone": "0500000000", "pick": "z"},
			"variables.date variables.n variables.phone variables.pick variables.text variables.time",
		},
		{
			map[string]any{"a": "1", "date": "2026-02-30", "time": "24:00", "n": "1e9", "phone": 966500000000.0, "pick": true},
			"variables.date variables.n variables.phone variables.pick variables.time",
		},
		{map[string]any{"a": "1", "date": "1448-06-15"}, "variables.date"},
		{map[string]any{"a": "1", "date": 20261126.0, "time": "7:30", "n": true}, "variables.date variables.n variables.time"},
	} {
		var fields []string
		for _, v := range s.CheckVariables(c.given) {
			fields = append(fields, v.Field)
		}
		if got := strings.Join(fields, " "); got != c.want {
			t.Errorf("%v: violations in %q, want %q", c.given, got, c.want)
		}
	}
	if v := (scenario.Scenario{}).CheckVariables(map[string]any{"x": 1.0, "y": nil, "z": []any{}}); len(v) != 1 || v[0].Field != "variables.z" {
		t.Errorf("a scenario without declarations: %v", v)
	}
	all := s.WithDefaults(map[string]any{"a": "1", "b": "", "c": 3.0})
	if diff := cmp.Diff(map[string]any{"a": "1", "b": "x", "c": 3.0}, all); diff != "" {
		t.Error(diff)
	}
}

func TestSchemaOf(t *testing.T) {
	t.Parallel()
	s, v, err := scenario.DecodeScenario(t.Context(), scenarioForm(`"variables":[{"name":"v"}],"steps":[
		{"id":"a","type":"ask","say":"أ","slot":{"name":"yes","type":"yes_no"}},
		{"id":"b","type":"ask","say":"أ","slot":{"name":"n","type":"number","min":1}},
		{"id":"c","type":"ask","say":"أ","slot":{"name":"pick","type":"choice","choices":[{"value":"x","phrases":["س"]}]}},
		{"id":"d","type":"ask","say":"أ","slot":{"name":"t","type":"time"}}]`))
	if err != nil || v != nil {
		t.Fatal(v, err)
	}
	schema, err := scenario.CompileSchema(scenario.SchemaOf(s))
	if err != nil {
		t.Fatal(err)
	}
	for report, want := range map[string]string{
		`{"yes":true,"n":1,"pick":"x","t":"17:30"}`:  "",
		`{"yes":null,"n":null,"pick":null,"t":null}`: "",
		`{"yes":"no","n":0,"pick":"y","t":"25:00"}`:  "n pick t yes",
		`{"yes":true,"n":1,"pick":"x","t":"7:30"}`:   "t",
	} {
		bad, err := schema.ValidateReport(t.Context(), []byte(report))
		if got := strings.Join(bad, " "); got != want || (err != nil) != (want != "") {
			t.Errorf("%s: %q (%v), want %q", report, got, err, want)
		}
	}
}

func TestFill(t *testing.T) {
	t.Parallel()
	values := func(name string) any {
		return map[string]any{"n": 2.0, "yes": true, "text": "أ<ب>"}[name]
	}
	for in, want := range map[string]string{
		`"{{n}}"`:                         `2`,
		`"{{yes}}"`:                       `true`,
		`"{{text}}"`:                      `"أ<ب>"`,
		`"{{none}}"`:                      `null`,
		`"{{n}} {{none}}{{yes}}"`:         `"2 true"`,
		`{"a":[1,"{{n}}",null],"b":1e30}`: `{"a":[1,2,null],"b":1e30}`,
	} {
		got, err := scenario.FillTemplates([]byte(in), values)
		if err != nil || string(got) != want {
			t.Errorf("%s: %s, %v; want %s", in, got, err, want)
		}
	}
}

// FuzzDecode: no bytes cause a panic, and a valid scenario is read back unchanged.
func FuzzDecode(f *testing.F) {
	f.Add(scenarioForm(oneStep))
	f.Add(scenarioForm(`"steps":[` + asking + `,{"id":"b","type":"branch","cases":[{"slot":"n","equals":0,"next":"q"}]}]`))
	f.Add(scenarioForm(`"steps":[{"id":"a","type":"say","say":[{"text":"{{v|date}}","optional":true}]}],"variables":[{"name":"v"}]`))
	f.Add([]byte(`{"steps":[[],{"say":{}}],"retry":{"delay_minutes":[1e99]},"report":{"schema":{"$ref":"#"}}}`))
	f.Add(scenarioForm(`"retry":{"max_attempts":2,"on":[]},` + oneStep))
	f.Add([]byte(`{"ID":1,"Name":{},"steps":null,"response_body":"{{"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, violations, err := scenario.DecodeScenario(t.Context(), data)
		if err != nil || len(violations) > 0 {
			return
		}
		again, err := json.Marshal(s)
		if err != nil {
			t.Fatalf("%s can't be written: %v", data, err)
		}
		back, violations, err := scenario.DecodeScenario(t.Context(), again)
		if err != nil || len(violations) > 0 {
			t.Fatalf("%s is written %s, which is wrong: %v %v", data, again, violations, err)
		}
		if diff := cmp.Diff(s, back); diff != "" && !strings.Contains(string(again), "null") {
			t.Fatalf("%s comes back otherwise: %s", data, diff)
		}
	})
}

// TestWholeNumbers checks that 2.0 is an integer, as in JSON Schema.
func TestWholeNumbers(t *testing.T) {
	t.Parallel()
	s, found, err := scenario.DecodeScenario(t.Context(), []byte(`{"id":"x","name":"x","ring_seconds":2.0e1,"steps":[
		{"id":"q","type":"ask","say":"كم","max_reasks":2.0,"slot":{"name":"n","type":"number"}}],"report":{"values":{"b":1,"a":2}}}`))
	if err != nil || len(found) > 0 || s.RingSeconds != 20 || *s.Steps[0].MaxReasks != 2 || len(s.Report.Values) != 2 {
		t.Errorf("%+v, %v, %v", s, found, err)
	}
}

// TestSpokenVariables checks that variables of optional lines and of later steps are found, those with a default are not.
func TestSpokenVariables(t *testing.T) {
	t.Parallel()
	s := scenario.Scenario{
		Variables: []scenario.ScenarioVariable{{Name: "quiet"}, {Name: "date"}, {Name: "name"}, {Name: "city", Default: "جدة"}},
		Steps: []scenario.FlowStep{
			{Say: scenario.SpokenLines{{Text: "يا {{name}} من {{city}}", Optional: true}}},
			{Say: scenario.SpokenLines{{Text: "مرحبا"}}, Reask: scenario.SpokenLines{{Text: "{{date|date}}"}}},
		},
	}
	var names []string
	for _, v := range s.SpokenVariables() {
		names = append(names, v.Name)
	}
	if got := strings.Join(names, " "); got != "date name" {
		t.Errorf("spoken are %q", got)
	}
	for _, c := range []struct {
		of   scenario.ScenarioVariable
		want scenario.VariableType
	}{{s.Variables[1], scenario.DateVariable}, {s.Variables[2], ""}, {scenario.ScenarioVariable{Name: "date", Type: "text"}, "text"}} {
		if got := s.SpokenType(c.of); got != c.want {
			t.Errorf("%s is a %q, want %q", c.of.Name, got, c.want)
		}
	}
}

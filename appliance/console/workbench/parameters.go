package workbench

import (
	"fmt"
	"math"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"munadi/appliance/console/kit"
	"munadi/engine"
	"munadi/ui/form"
	"munadi/ui/locale"
	"munadi/ui/workbench"
)

// parameterGroups are the groups of parameters on the page, each with the names of its parameters.
var parameterGroups = []struct{ group, names string }{
	{"heads", "mode ctc_weight acoustic_scale temperature max_symbols_per_step loop_labels use_cuda_graph_decoder"},
	{"beam", "strategy beam_enabled beam_size beam_length_penalty beam_temperature"},
	{"spot", "ctc_ws_enabled ctc_ws_context ctc_ws_apply ctc_ws_beam_threshold ctc_ws_context_score " +
		"ctc_ws_ali_token_weight ctc_ws_intersection_threshold ctc_ws_keyword_threshold ctc_ws_blank_threshold " +
		"ctc_ws_non_blank_threshold"},
	{"cut", "max_chunk_seconds vad_threshold vad_min_speech_ms vad_max_speech_s vad_min_silence_ms vad_pad_ms"},
}

// debugParameter is a parameter of the debug decoder; its name, kind, range and choices are those of its field in
// [engine.DebugParams].
type debugParameter struct {
	name, group string
	field       []int
	kind        workbench.KnobKind
	low, high   float64 // of a text: high is its length in bytes; browsers and proxies limit that of a URL much earlier
	choices     []string
}

// debugParameters returns the parameters in their order on the page.
func debugParameters() []debugParameter {
	declared := map[string]reflect.StructField{}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[engine.DebugParams]()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		declared[name] = f
	}
	var all []debugParameter
	for _, g := range parameterGroups {
		for _, name := range strings.Fields(g.names) {
			all = append(all, newParameter(name, g.group, declared[name]))
		}
	}
	return all
}

// newParameter returns the parameter that a field declares.
func newParameter(name, group string, f reflect.StructField) debugParameter {
	k := debugParameter{name: name, group: group, field: f.Index, kind: workbench.KnobNumber}
	k.low, _ = strconv.ParseFloat(f.Tag.Get("ge"), 64)
	k.high, _ = strconv.ParseFloat(f.Tag.Get("le"), 64)
	value := f.Type
	if value.Kind() == reflect.Pointer {
		value = value.Elem()
	}
	switch enum := f.Tag.Get("enum"); {
	case enum != "":
		k.kind, k.choices = workbench.KnobChoice, strings.Split(enum, "|")
		if f.Type.Kind() == reflect.Pointer {
			k.choices = slices.Insert(k.choices, 0, "")
		}
	case value.Kind() == reflect.Bool:
		k.kind = workbench.KnobToggle
	case value.Kind() == reflect.String:
		k.kind = workbench.KnobText
		k.high, _ = strconv.ParseFloat(f.Tag.Get("maxlen"), 64)
	}
	return k
}

// show formats the parameter's value; empty for none.
func (k debugParameter) show(p engine.DebugParams) string {
	v := reflect.Indirect(reflect.ValueOf(p).FieldByIndex(k.field))
	if !v.IsValid() {
		return ""
	}
	return fmt.Sprint(v.Interface())
}

// set parses the parameter's value; false if it has no such value.
func (k debugParameter) set(p *engine.DebugParams, s string) bool {
	v := reflect.ValueOf(p).Elem().FieldByIndex(k.field)
	if v.Kind() == reflect.Pointer { // a new one, so that the default is not changed
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	n, err := 0.0, error(nil)
	switch v.Kind() {
	case reflect.Bool:
		is, err := strconv.ParseBool(s)
		v.SetBool(is)
		return err == nil
	case reflect.String:
		v.SetString(form.UnixLines(s))
		return k.kind == workbench.KnobChoice || len(s) <= int(k.high)
	case reflect.Int:
		whole, wrong := strconv.Atoi(s)
		v.SetInt(int64(whole))
		n, err = float64(whole), wrong
	default:
		n, err = strconv.ParseFloat(s, 64)
		v.SetFloat(n)
	}
	return err == nil && !math.IsNaN(n) && n >= k.low && n <= k.high
}

// readParameters parses the parameters of a form or a URL; absent ones keep their defaults. shown holds the fields for
// display, query those that differ from the default; valid is false if one is invalid.
func readParameters(
	form url.Values, l locale.Language,
) (p engine.DebugParams, shown []workbench.ParameterField, query url.Values, valid bool) {
	p, query, valid = shownDefaults(), url.Values{}, true
	defaults := shownDefaults()
	for _, k := range debugParameters() {
		one := workbench.ParameterField{
			Name: k.name, Group: k.group, Kind: k.kind, Choices: k.choices, Default: k.show(defaults),
		}
		one.Value = one.Default
		if typed := form[k.name]; len(typed) > 0 && (k.kind == workbench.KnobText || typed[len(typed)-1] != "") {
			if one.Value = typed[len(typed)-1]; k.kind != workbench.KnobText {
				one.Value = kit.WesternDigits(one.Value)
			}
			known := k.kind != workbench.KnobChoice || slices.Contains(k.choices, one.Value)
			if !known || !k.set(&p, one.Value) {
				valid, one.Fault = false, k.explainFault(l)
			} else if one.Value = k.show(p); one.Value != one.Default {
				query.Set(k.name, one.Value)
			}
		}
		shown = append(shown, one)
	}
	return p, shown, query, valid
}

// shownDefaults returns the decoder's defaults for display, without the search strategy: without a named one,
// beam_enabled selects it, and a named one ranks results without the CTC head.
func shownDefaults() engine.DebugParams {
	p := engine.DebugDefaults().ResolveDefaults()
	p.Strategy = nil
	return p
}

// explainFault returns which values a parameter accepts.
func (k debugParameter) explainFault(l locale.Language) string {
	if k.kind == workbench.KnobChoice {
		named := slices.DeleteFunc(slices.Clone(k.choices), func(s string) bool { return s == "" })
		return locale.FillSentence(workbench.BadChoice.In(l), "value", strings.Join(named, ", "))
	}
	return locale.FillRange(workbench.BadRange.In(l), kit.FormatShortest(k.low), kit.FormatShortest(k.high))
}

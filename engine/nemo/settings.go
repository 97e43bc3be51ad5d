package nemo

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// settings are model_config.yaml's values by dotted key. The first value that can't be used is kept as the error, with
// its key; what is read after that is meaningless.
type settings struct {
	root map[string]any
	err  error
}

func parseSettings(b []byte) (*settings, error) {
	s := &settings{}
	if err := yaml.Unmarshal(b, &s.root); err != nil {
		return nil, fmt.Errorf("%s: %w", configMember, err)
	}
	if inner, ok := s.root["model"].(map[string]any); ok && s.root["encoder"] == nil {
		s.root = inner
	}
	if len(s.root) == 0 {
		return nil, errors.New(configMember + " holds no settings")
	}
	return s, nil
}

// maxReferences is how many ${…} are followed one after the other.
const maxReferences = 8

// value is what stands at a dotted key, nil if nothing does. A reference ${other.key} is followed.
func (s *settings) value(key string) any {
	for range maxReferences {
		v := s.at(key)
		text, ok := v.(string)
		if !ok || !strings.HasPrefix(text, "${") || !strings.HasSuffix(text, "}") {
			return v
		}
		key = strings.TrimPrefix(text[2:len(text)-1], "model.")
	}
	s.fail(key, "a reference to itself", "a value")
	return nil
}

func (s *settings) at(key string) any {
	var v any = s.root
	for part := range strings.SplitSeq(key, ".") {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[part]
	}
	return v
}

// isNull reports whether a section has the key and null as its value, which is not the same as leaving it out.
func (s *settings) isNull(section, key string) bool {
	m, _ := s.value(section).(map[string]any)
	v, there := m[key]
	return there && v == nil
}

// fail keeps the first setting that can't be used.
func (s *settings) fail(key string, value any, accepted string) {
	if s.err == nil {
		s.err = fmt.Errorf("%s: %s is %s, which can't be imported; accepted: %s",
			configMember, key, shown(value), accepted)
	}
}

// shown is a value for a message.
func shown(value any) string {
	if text, ok := value.(string); ok {
		return quote(text)
	}
	return strings.Trim(quote(fmt.Sprint(value)), `"`)
}

// integer is the whole number at key, from least to most; absent if there is none.
func (s *settings) integer(key string, absent, least, most int) int {
	v := s.value(key)
	if v == nil {
		return absent
	}
	n, ok := v.(int)
	if !ok || n < least || n > most {
		s.fail(key, v, fmt.Sprintf("a whole number from %d to %d", least, most))
		return absent
	}
	return n
}

// number is the number at key.
func (s *settings) number(key string, absent float64) float64 {
	switch v := s.value(key).(type) {
	case nil:
		return absent
	case int:
		return float64(v)
	case float64:
		return v
	default:
		s.fail(key, v, "a number")
		return absent
	}
}

// flag is the truth value at key.
func (s *settings) flag(key string, absent bool) bool {
	switch v := s.value(key).(type) {
	case nil:
		return absent
	case bool:
		return v
	default:
		s.fail(key, v, "true or false")
		return absent
	}
}

// text is the string at key.
func (s *settings) text(key, absent string) string {
	switch v := s.value(key).(type) {
	case nil:
		return absent
	case string:
		return v
	default:
		s.fail(key, v, "a text")
		return absent
	}
}

// choice is the string at key, which must be one of the accepted ones.
func (s *settings) choice(key, absent string, accepted ...string) string {
	v := s.text(key, absent)
	if !slices.Contains(accepted, v) {
		s.fail(key, v, strings.Join(accepted, ", "))
	}
	return v
}

// only refuses any other value of key than the given one, which is also what an absent key means.
func (s *settings) only(key string, want any) {
	if v := s.value(key); v != nil && v != want && fmt.Sprint(v) != fmt.Sprint(want) {
		s.fail(key, v, fmt.Sprint(want))
	}
}

// integers is the list of whole numbers at key, at most limit; nil if there is none.
func (s *settings) integers(key string, limit int) []int {
	v := s.value(key)
	if v == nil {
		return nil
	}
	items, ok := v.([]any)
	out := make([]int, 0, len(items))
	for _, item := range items {
		n, whole := item.(int)
		ok = ok && whole
		out = append(out, n)
	}
	if !ok || len(out) > limit {
		s.fail(key, v, fmt.Sprintf("a list of at most %d whole numbers", limit))
		return nil
	}
	return out
}

// numbers is the list of numbers at key.
func (s *settings) numbers(key string, limit int) []float32 {
	items, ok := s.value(key).([]any)
	out := make([]float32, 0, len(items))
	for _, item := range items {
		switch n := item.(type) {
		case int:
			out = append(out, float32(n))
		case float64:
			out = append(out, float32(n))
		default:
			ok = false
		}
	}
	if !ok || len(out) > limit {
		s.fail(key, s.value(key), fmt.Sprintf("a list of at most %d numbers", limit))
		return nil
	}
	return out
}

// known refuses a key of section that this reader has never heard of, unless it is off: a setting that changes what the
// model computes must not be passed over.
func (s *settings) known(section string, keys ...string) {
	m, _ := s.value(section).(map[string]any)
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if !slices.Contains(keys, name) && !off(m[name]) {
			s.fail(section+"."+name, m[name], "absent, null or false: this setting is not known")
		}
	}
}

// off reports whether a value is one that turns a setting off.
func off(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case bool:
		return !v
	case int:
		return v == 0
	case float64:
		return v == 0
	case string:
		return v == ""
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}

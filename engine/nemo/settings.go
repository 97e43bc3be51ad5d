package nemo

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// configSettings are model_config.yaml's values by dotted key. The first unusable value is kept as the error, with its
// key; later reads are meaningless.
type configSettings struct {
	root map[string]any
	err  error
}

func parseSettings(b []byte) (*configSettings, error) {
	s := &configSettings{}
	if err := yaml.Unmarshal(b, &s.root); err != nil {
		return nil, fmt.Errorf("%s: %w", configMember, err)
	}
	if inner, ok := s.root["model"].(map[string]any); ok && s.root["encoder"] == nil {
		s.root = inner
	}
	if len(s.root) == 0 {
		return nil, errors.New(configMember + " has no settings")
	}
	return s, nil
}

// maxReferences is the maximum depth of ${…} references.
const maxReferences = 8

// resolveValue returns the value of a dotted key; nil if it is missing. A reference ${other.key} is followed.
func (s *configSettings) resolveValue(key string) any {
	for range maxReferences {
		v := s.rawValue(key)
		text, ok := v.(string)
		if !ok || !strings.HasPrefix(text, "${") || !strings.HasSuffix(text, "}") {
			return v
		}
		key = strings.TrimPrefix(text[2:len(text)-1], "model.")
	}
	s.failSetting(key, "a reference to itself", "a value")
	return nil
}

func (s *configSettings) rawValue(key string) any {
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

// isNull reports whether a key is set to null, unlike a missing key, for which its default applies.
func (s *configSettings) isNull(key string) bool {
	dot := strings.LastIndexByte(key, '.')
	m, _ := s.resolveValue(key[:max(dot, 0)]).(map[string]any)
	v, there := m[key[dot+1:]]
	return there && v == nil
}

// failSetting records the first unusable setting.
func (s *configSettings) failSetting(key string, value any, accepted string) {
	if s.err == nil {
		s.err = fmt.Errorf("%s: %s is %s, which is not supported; accepted: %s",
			configMember, key, showValue(value), accepted)
	}
}

// showValue returns a value for a message.
func showValue(value any) string {
	if value == nil {
		return "null"
	}
	if text, ok := value.(string); ok {
		return shortenText(text)
	}
	return strings.Trim(shortenText(fmt.Sprint(value)), `"`)
}

// integerAt returns the whole number at key, from least to most; absent if there is none.
func (s *configSettings) integerAt(key string, absent, least, most int) int {
	v := s.resolveValue(key)
	if v == nil {
		return absent
	}
	n, ok := v.(int)
	if !ok || n < least || n > most {
		s.failSetting(key, v, fmt.Sprintf("a whole number from %d to %d", least, most))
		return absent
	}
	return n
}

// numberAt returns the number at key.
func (s *configSettings) numberAt(key string, absent float64) float64 {
	switch v := s.resolveValue(key).(type) {
	case nil:
		return absent
	case int:
		return float64(v)
	case float64:
		return v
	default:
		s.failSetting(key, v, "a number")
		return absent
	}
}

// flagAt returns the boolean at key; null is false, as in Python.
func (s *configSettings) flagAt(key string, absent bool) bool {
	switch v := s.resolveValue(key).(type) {
	case nil:
		return absent && !s.isNull(key)
	case bool:
		return v
	default:
		s.failSetting(key, v, "true or false")
		return absent
	}
}

// textAt returns the string at key.
func (s *configSettings) textAt(key, absent string) string {
	switch v := s.resolveValue(key).(type) {
	case nil:
		return absent
	case string:
		return v
	default:
		s.failSetting(key, v, "a string")
		return absent
	}
}

// choiceAt returns the string at key, which must be one of the accepted ones.
func (s *configSettings) choiceAt(key, absent string, accepted ...string) string {
	v := s.textAt(key, absent)
	if !slices.Contains(accepted, v) {
		s.failSetting(key, v, strings.Join(accepted, ", "))
	}
	return v
}

// nullable are keys for which null means the default.
var nullable = []string{"preprocessor.highfreq", "preprocessor.n_fft"}

// requireValue refuses any value of key other than want, which is also the default.
func (s *configSettings) requireValue(key string, want any) {
	if want != nil && s.isNull(key) && !slices.Contains(nullable, key) {
		s.failSetting(key, nil, fmt.Sprint(want))
	}
	if v := s.resolveValue(key); v != nil && v != want && fmt.Sprint(v) != fmt.Sprint(want) {
		s.failSetting(key, v, fmt.Sprint(want))
	}
}

// integersAt returns the list of whole numbers at key, at most limit; nil if there is none.
func (s *configSettings) integersAt(key string, limit int) []int {
	v := s.resolveValue(key)
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
		s.failSetting(key, v, fmt.Sprintf("a list of at most %d whole numbers", limit))
		return nil
	}
	return out
}

// numbersAt returns the list of numbers at key.
func (s *configSettings) numbersAt(key string, limit int) []float32 {
	items, ok := s.resolveValue(key).([]any)
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
		s.failSetting(key, s.resolveValue(key), fmt.Sprintf("a list of at most %d numbers", limit))
		return nil
	}
	return out
}

// checkKnownKeys refuses unknown keys of a section unless they are off: a setting that changes what the model computes
// must not be ignored.
func (s *configSettings) checkKnownKeys(section string, keys ...string) {
	m, _ := s.resolveValue(section).(map[string]any)
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if !slices.Contains(keys, name) && !isOff(m[name]) {
			s.failSetting(section+"."+name, m[name], "absent, null or false: the setting is unknown")
		}
	}
}

// isOff reports whether a value disables a setting.
func isOff(v any) bool {
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

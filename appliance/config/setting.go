package config

import (
	"encoding"
	"fmt"
	"log/slog"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// fileSetting is the setting that names the file, and so cannot be in it.
const fileSetting = "config"

// listNames are the settings whose list in the file has entries with fields.
var listNames = []string{"llm-endpoints", "sip-trunks", "tools"}

// wordLists are the settings that are a list of words: [one, two] in the file, or one,two.
var wordLists = []string{
	"acme-domains", "trusted-proxies", "cors-origins", "sip-callers", "sip-codecs", "mail-to",
	"oidc-scopes", "oidc-roles", "ldap-roles",
}

// settingField describes one field of [Config], from its tags.
type settingField struct {
	name, help, fallback string
	secret               bool // from the environment only
	oneOf                []string
	min, max             float64
	index                int
}

// listSettings returns all settings, in the order of the struct. The tags are read once: each start looks up each flag.
var listSettings = sync.OnceValue(readSettingTags)

func readSettingTags() []settingField {
	t := reflect.TypeFor[Config]()
	var all []settingField
	for i := range t.NumField() {
		tag := t.Field(i).Tag
		s := settingField{
			name: tag.Get("name"), help: tag.Get("help"), fallback: tag.Get("default"),
			min: parseBound(tag.Get("min"), math.Inf(-1)), max: parseBound(tag.Get("max"), math.Inf(1)), index: i,
		}
		if secret, ok := tag.Lookup("secret"); ok {
			s.name, s.secret = secret, true
		}
		if oneOf, ok := tag.Lookup("oneof"); ok {
			s.oneOf = strings.Split(oneOf, ",")
		}
		all = append(all, s)
	}
	return all
}

// parseBound parses a bound in a tag; none is the result without one.
func parseBound(text string, none float64) float64 {
	if n, err := strconv.ParseFloat(text, 64); err == nil {
		return n
	}
	return none
}

// environmentName returns the setting's environment variable.
func (s settingField) environmentName() string {
	return variablePrefix + strings.ToUpper(strings.ReplaceAll(s.name, "-", "_"))
}

// setField parses text into the setting's field. The error describes the fault without the setting's name; a secret's
// value is not in it.
func (s settingField) setField(field reflect.Value, text string) error {
	if s.oneOf != nil && !slices.Contains(s.oneOf, text) {
		return fmt.Errorf("%q is not one of %s", text, strings.Join(s.oneOf, ", "))
	}
	if err := parseField(field, text); err != nil {
		return err
	}
	return s.checkBounds(field)
}

// checkBounds checks a number against the setting's minimum and maximum.
func (s settingField) checkBounds(field reflect.Value) error {
	var n float64
	switch {
	case field.CanInt():
		n = float64(field.Int())
	case field.CanFloat():
		n = field.Float()
	default:
		return nil
	}
	switch {
	case n < s.min && field.Type() == reflect.TypeFor[ByteSize]():
		return fmt.Errorf("%v bytes are less than %v; write the unit, such as 100MiB", field.Int(), boundOf(field, s.min))
	case n < s.min:
		return fmt.Errorf("%v is less than %v", field, boundOf(field, s.min))
	case n > s.max:
		return fmt.Errorf("%v is more than %v", field, boundOf(field, s.max))
	default:
		return nil
	}
}

// boundOf returns a bound as the setting's type prints it.
func boundOf(field reflect.Value, bound float64) any {
	if !field.CanInt() {
		return bound
	}
	value := reflect.New(field.Type()).Elem()
	value.SetInt(int64(bound))
	return value
}

// parseField parses text by the field's type.
func parseField(field reflect.Value, text string) error {
	if level, ok := field.Addr().Interface().(*slog.Level); ok {
		if level.UnmarshalText([]byte(text)) != nil {
			return fmt.Errorf("%q is not one of debug, info, warn, error", text)
		}
		return nil
	}
	if own, ok := field.Addr().Interface().(encoding.TextUnmarshaler); ok {
		return own.UnmarshalText([]byte(text))
	}
	switch field.Kind() {
	case reflect.String:
		field.SetString(text)
	case reflect.Int:
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil {
			return fmt.Errorf("%q is not a whole number", text)
		}
		field.SetInt(int64(n))
	case reflect.Bool:
		yes, err := parseBool(strings.TrimSpace(text))
		if err != nil {
			return err
		}
		field.SetBool(yes)
	case reflect.Float64:
		n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
			return fmt.Errorf("%q is not a number", text)
		}
		field.SetFloat(n)
	default:
		return fmt.Errorf("settings of type %s cannot be read", field.Type())
	}
	return nil
}

// parseBool parses a boolean in YAML's spellings.
func parseBool(text string) (bool, error) {
	switch strings.ToLower(text) {
	case "true", "yes", "on", "1":
		return true, nil
	case "false", "no", "off", "0":
		return false, nil
	default:
		return false, fmt.Errorf("%q is neither true nor false", text)
	}
}

// Default returns the configuration with all defaults.
func Default() *Config {
	var c Config
	for _, s := range listSettings() {
		// No errors are possible: a test parses every default.
		_ = parseField(reflect.ValueOf(&c).Elem().Field(s.index), s.fallback)
	}
	return &c
}

package config

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"munadi/engine/arabic"
)

// ParserOptions make kong fill c, which its command line struct embeds, from flags, environment and file. Commands
// whose Run takes a *Config get c validated, or do not run: the error is then a [*ConfigError]. lookup is
// os.LookupEnv, or a test's.
func ParserOptions(c *Config, lookup func(string) (string, bool)) []kong.Option {
	l := &configLoader{config: c, lookup: lookup, places: map[string]string{}, faults: map[string]string{}}
	return []kong.Option{
		kong.PostBuild(l.adoptFlags),
		kong.Resolvers(kong.ResolverFunc(l.resolveFlag)),
		kong.BindToProvider(l.finishConfig),
		kong.BindToProvider(l.bindFileFaults),
		kong.Help(printHelp),
	}
}

// configLoader loads one configuration and collects all its faults; kong by itself stops at the first.
type configLoader struct {
	config *Config
	lookup func(string) (string, bool)
	file   *configFile       // nil until it is read
	places map[string]string // by setting, the source of its value; none for a flag
	faults map[string]string // by setting
}

// adoptFlags replaces the parser of every flag that is a setting.
func (l *configLoader) adoptFlags(k *kong.Kong) error {
	for _, flag := range k.Model.Flags {
		if s, ok := findSetting(flag.Name); ok {
			flag.Mapper = settingMapper{l, s}
			if flag.IsBool() { // else the default is the flag's placeholder
				flag.Help += " Default: " + s.fallback + "."
			}
			flag.Help += " ($" + s.environmentName() + ")"
		}
	}
	return nil
}

// settingMapper parses one setting.
type settingMapper struct {
	loader  *configLoader
	setting settingField
}

// Decode implements kong.Mapper. An invalid value is recorded as a fault, not returned, so that the others are
// checked too.
func (m settingMapper) Decode(ctx *kong.DecodeContext, target reflect.Value) error {
	text := "true" // a flag without a value
	if !m.IsBool() || ctx.Scan.Peek().Type == kong.FlagValueToken {
		if !ctx.Scan.Peek().IsValue() { // the end of the line, or what looks like a flag, such as -1
			return fmt.Errorf("the value is missing; write --%s=VALUE", m.setting.name)
		}
		if err := ctx.Scan.PopValueInto("value", &text); err != nil {
			return err
		}
	}
	if err := m.setting.setField(target, text); err != nil {
		m.loader.addFault(m.setting, err)
	}
	return nil
}

// IsBool implements kong.BoolMapper: such a flag needs no value.
func (m settingMapper) IsBool() bool {
	return reflect.TypeFor[Config]().Field(m.setting.index).Type.Kind() == reflect.Bool
}

// addFault records the fault of a setting's value, with its source.
func (l *configLoader) addFault(s settingField, what error) {
	place := l.places[s.name]
	if place == "" {
		place = "--" + s.name
	}
	if _, already := l.faults[s.name]; !already {
		l.faults[s.name] = fmt.Sprintf("%s: %v", place, what)
	}
}

// resolveFlag returns the value of a flag that is not on the command line: from the environment, then from the file.
func (l *configLoader) resolveFlag(ctx *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	s, ok := findSetting(flag.Name)
	if !ok {
		return nil, nil
	}
	if value, ok := l.fromEnvironment(s); ok {
		return value, nil
	}
	if s.name == fileSetting {
		return nil, nil
	}
	value, ok := l.readOnce(ctx).values[s.name]
	if !ok {
		return nil, nil
	}
	l.places[s.name] = fmt.Sprintf("%s:%d: %s", l.file.path, value.line, s.name)
	return value.text, nil
}

// fromEnvironment returns the setting's variable, unless it is absent or empty.
func (l *configLoader) fromEnvironment(s settingField) (string, bool) {
	value, ok := l.lookup(s.environmentName())
	if !ok || value == "" {
		return "", false
	}
	l.places[s.name] = s.environmentName()
	return value, true
}

// readOnce returns the configuration file, which it reads at the first call.
func (l *configLoader) readOnce(ctx *kong.Context) *configFile {
	if l.file != nil {
		return l.file
	}
	var path string
	for _, flag := range ctx.Flags() {
		if flag.Name == fileSetting {
			path, _ = ctx.FlagValue(flag).(string)
		}
	}
	if path == "" {
		path, _ = l.lookup(settingField{name: fileSetting}.environmentName())
	}
	f := loadFile(path)
	l.file = &f
	return l.file
}

// finishConfig returns the validated configuration, or all of its faults.
func (l *configLoader) finishConfig() (*Config, error) {
	var faults []string
	if l.file != nil {
		faults = append(faults, l.file.faults...)
		l.config.File = l.file.path // also a default one
	}
	l.readSecrets()
	l.addFaults(l.config.settingChecks())
	l.addFaults(l.judgeJoint(l.config.jointChecks()))
	for _, s := range listSettings() {
		if fault, ok := l.faults[s.name]; ok {
			faults = append(faults, fault)
		}
	}
	if len(faults) > 0 {
		return nil, &ConfigError{Faults: faults}
	}
	return l.config, nil
}

// addFaults records the faults of settings.
func (l *configLoader) addFaults(found map[string]error) {
	for _, s := range listSettings() {
		if err := found[s.name]; err != nil {
			l.addFault(s, err)
		}
	}
}

// judgeJoint returns the faults of joint checks that follow from no other fault.
func (l *configLoader) judgeJoint(checks []jointCheck) map[string]error {
	found := map[string]error{}
	for _, check := range checks {
		follows := slices.ContainsFunc(append(check.with, check.setting), func(name string) bool {
			return l.faults[name] != "" || found[name] != nil
		})
		if !follows && check.err != nil {
			found[check.setting] = check.err
		}
	}
	return found
}

// FileFaults reports faults of what settings name, such as files, with the source of each setting; nil without any.
type FileFaults func(found map[string]error) error

// bindFileFaults returns the reporter of the loaded configuration.
func (l *configLoader) bindFileFaults() (FileFaults, error) {
	return func(found map[string]error) error {
		l.addFaults(found)
		_, err := l.finishConfig()
		return err
	}, nil
}

// readSecrets reads the settings that come from the environment only.
func (l *configLoader) readSecrets() {
	for _, s := range listSettings() {
		if !s.secret {
			continue
		}
		if value, ok := l.fromEnvironment(s); ok {
			reflect.ValueOf(l.config).Elem().Field(s.index).SetString(value)
		}
	}
}

// unknownKey returns the fault of an unknown setting, with the most similar name.
func unknownKey(name string) string {
	inFile := func(s settingField) bool { return !s.secret && s.name != fileSetting }
	if meant, ok := nearestSetting(name, inFile); ok {
		return fmt.Sprintf("unknown key %q (did you mean %q?)", name, meant.name)
	}
	return fmt.Sprintf("unknown key %q", name)
}

// nearestSetting returns the setting accepted by may whose name is most similar, if any is.
func nearestSetting(name string, may func(settingField) bool) (best settingField, ok bool) {
	least := len(name)/2 + 1
	for _, s := range listSettings() {
		asked := strings.ToLower(strings.ReplaceAll(name, "_", "-"))
		if d := arabic.EditDistance([]byte(asked), []byte(s.name)); d < least && may(s) {
			best, least, ok = s, d, true
		}
	}
	return best, ok
}

const (
	// variablePrefix is the prefix of this program's environment variables.
	variablePrefix = "MUNADI_"
	// sipPassword is the environment variable of the setting sip-password, and with a suffix the prefix of those that
	// password-env of sip-trunks names.
	sipPassword = variablePrefix + "SIP_PASSWORD"
	// llmKey is the environment variable, or the prefix of those, with the key of a language model. It is no setting:
	// key-env of llm-endpoints names it.
	llmKey     = variablePrefix + "LLM_KEY"
	llmKeyHelp = "Bearer token of a language model in llm-endpoints, whose key-env names this variable or one with a " +
		"suffix (" + llmKey + "_NAME)."
	// toolKey is the same for the keys of tools.
	toolKey     = variablePrefix + "TOOL_KEY"
	toolKeyHelp = "Bearer token of a tool in tools, whose key-env names this variable or one with a suffix (" +
		toolKey + "_NAME)."
)

// UnknownVariables returns the variables of an environment (NAME=value) that have the prefix but are no setting, each
// with the most similar known one, or "", so that spelling mistakes are noticed.
func UnknownVariables(environment []string) map[string]string {
	strange := map[string]string{}
	for _, entry := range environment {
		name, _, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(name, variablePrefix) || isKnownVariable(name) {
			continue
		}
		strange[name] = ""
		known := func(settingField) bool { return true }
		if meant, ok := nearestSetting(strings.TrimPrefix(name, variablePrefix), known); ok {
			strange[name] = meant.environmentName()
		}
	}
	return strange
}

// isKnownVariable reports whether the variable is used.
func isKnownVariable(name string) bool {
	return name == llmKey || strings.HasPrefix(name, llmKey+"_") || strings.HasPrefix(name, sipPassword+"_") ||
		name == toolKey || strings.HasPrefix(name, toolKey+"_") ||
		slices.ContainsFunc(listSettings(), func(s settingField) bool { return s.environmentName() == name })
}

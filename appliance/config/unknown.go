package config

import (
	"fmt"
	"slices"
	"strings"

	"munadi/engine/arabic"
)

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

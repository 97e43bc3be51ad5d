package config

import (
	"slices"
	"strings"
)

const (
	// variablePrefix begins every variable of ours.
	variablePrefix = "MUNADI_"
	// llmKey is the variable, or the beginning of those, that holds the key of a language model: no setting, since
	// key-env of llm-endpoints names it.
	llmKey     = variablePrefix + "LLM_KEY"
	llmKeyHelp = "Bearer token for a language model of llm-endpoints, whose key-env names this variable, or one with a " +
		"suffix (" + llmKey + "_NAME)."
)

// UnknownVariables are the variables of an environment (NAME=value) that look like ours and set nothing, each with the one
// that may be meant, or "": a slip of the pen there would go unseen.
func UnknownVariables(environment []string) map[string]string {
	strange := map[string]string{}
	for _, entry := range environment {
		name, _, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(name, variablePrefix) || isKnownVariable(name) {
			continue
		}
		strange[name] = ""
		if meant, ok := nearestSetting(strings.TrimPrefix(name, variablePrefix), func(setting) bool { return true }); ok {
			strange[name] = meant.environmentName()
		}
	}
	return strange
}

// isKnownVariable says that something reads the variable.
func isKnownVariable(name string) bool {
	return name == llmKey || strings.HasPrefix(name, llmKey+"_") ||
		slices.ContainsFunc(listSettings(), func(s setting) bool { return s.environmentName() == name })
}

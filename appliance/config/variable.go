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

// Strangers are the variables of an environment (NAME=value) that look like ours and set nothing, each with the one
// that may be meant, or "": a slip of the pen there would go unseen.
func Strangers(environment []string) map[string]string {
	strange := map[string]string{}
	for _, entry := range environment {
		name, _, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(name, variablePrefix) || known(name) {
			continue
		}
		strange[name] = ""
		if meant, ok := nearest(strings.TrimPrefix(name, variablePrefix), func(setting) bool { return true }); ok {
			strange[name] = meant.variable()
		}
	}
	return strange
}

// known says that something reads the variable.
func known(name string) bool {
	return name == llmKey || strings.HasPrefix(name, llmKey+"_") ||
		slices.ContainsFunc(settings(), func(s setting) bool { return s.variable() == name })
}

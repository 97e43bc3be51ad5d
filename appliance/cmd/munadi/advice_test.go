package main

import (
	"strings"
	"testing"
)

// TestAdvice checks that an error of the command line says what is accepted, and what is probably meant.
func TestAdvice(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"keys create till":           "perhaps --name=till is meant; see munadi keys create --help",
		"keys create -name till":     "unknown flag -name; flags have two dashes: --name; see munadi keys create --help",
		"keys create --name":         "--name: the value is missing; write --name=VALUE; see",
		"keys list branch":           "perhaps --org=branch is meant",
		"config check":               "perhaps --check is meant",
		"serve listen=:80":           "perhaps --listen=:80 is meant",
		"serve now":                  "it takes only flags, such as --config; see munadi serve --help",
		"keys revoke":                `expected "<id>": Id of the key; munadi keys list shows it; see munadi keys revoke --help`,
		"model":                      `"list", "use", "remove"; see munadi model --help`,
		"users create a --role king": `--role must be one of "viewer","operator","owner" but got "king"`,
	} {
		err := runCommand(t.Context(), strings.Fields(line))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("munadi %s: %v; want %s", line, err, want)
		}
	}
}

// TestAdviceQuotes checks that a suggested value with spaces can be pasted into a shell.
func TestAdviceQuotes(t *testing.T) {
	t.Parallel()
	err := runCommand(t.Context(), []string{"keys", "create", "front desk"})
	if err == nil || !strings.Contains(err.Error(), "perhaps --name='front desk' is meant") {
		t.Error(err)
	}
}

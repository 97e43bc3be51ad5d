package whole_test

import (
	"strings"
	"testing"
)

// TestHelpAndVersionSpellings checks the usual spellings of help and version.
func TestHelpAndVersionSpellings(t *testing.T) {
	t.Parallel()
	for asked, own := range map[string][]string{
		"": {"--help"}, "help": {"--help"}, "help keys create": {"keys", "create", "--help"}, "--version": {"version"},
	} {
		got, want := runMunadi(t, nil, strings.Fields(asked)...), runMunadi(t, nil, own...)
		if got != want || got.code != 0 || got.stdout == "" {
			t.Errorf("munadi %s: %+v", asked, got)
		}
	}
}

// TestWrongCommandLine checks that an unknown argument is named, with a pointer to the help.
func TestWrongCommandLine(t *testing.T) {
	t.Parallel()
	for line, says := range map[string][]string{
		"sreve":               {"sreve", "see munadi --help"},
		"serve --lissten x":   {"--lissten", `"--listen"`, "see munadi serve --help"},
		"transcribe":          {"<file>", "see munadi transcribe --help"},
		"keys":                {`"create", "list", "revoke"`, "see munadi keys --help"},
		"model use":           {"<name>", "see munadi model use --help"},
		"help nothing":        {"nothing", "see munadi --help"},
		"keys delete":         {"delete", "the commands are create, list, revoke", "see munadi keys --help"},
		"keys create erp":     {"only flags, such as --name, --org, --scope", "--name=erp is meant", "see munadi keys create --help"},
		"backup a b":          {"argument b", "it takes <file>", "see munadi backup --help"},
		"serve --lines":       {"--lines: the value is missing", "--lines=VALUE", "see munadi serve --help"},
		"serve --lines -1":    {"--lines: the value is missing", "--lines=VALUE"},
		"users create x -r y": {"-r", "see munadi users create --help"},
	} {
		runMunadi(t, nil, strings.Fields(line)...).wantRefused(t, line, says...)
	}
}

// TestUnknownVariableIsReported checks that an unknown MUNADI_ variable is reported.
func TestUnknownVariableIsReported(t *testing.T) {
	t.Parallel()
	a := startInstance(t, instanceSettings{env: []string{
		"MUNADI_BOOTSTRAP_ADMIN_PASWORD=falcon over the ridge", "MUNADI_LLM_KEY_LOCAL=x", "MUNADI_LOG_LEVEL=info",
	}})
	log := a.log.String()
	if !strings.Contains(log, "variable=MUNADI_BOOTSTRAP_ADMIN_PASWORD perhaps=MUNADI_BOOTSTRAP_ADMIN_PASSWORD") {
		t.Errorf("the log does not say it: %s", log)
	}
	if strings.Count(log, "unknown environment variable") != 1 || strings.Contains(log, "falcon") {
		t.Errorf("the log says too much: %s", log)
	}
	checked := runMunadi(t, []string{"MUNADI_LINEZ=4"}, "config", "--check")
	checked.wantDone(t, "config --check")
	if !strings.Contains(checked.stdout, "MUNADI_LINEZ is not a setting; perhaps MUNADI_LINES is meant") {
		t.Errorf("munadi config --check says %q", checked.stdout)
	}
}

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"munadi/appliance/admin"
	"munadi/appliance/auth"
	"munadi/appliance/config"
)

// keysCommand runs "munadi keys ARGS" on a data folder and returns what it printed.
func keysCommand(t *testing.T, data string, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	var cli struct {
		config.Config
		Keys KeysCmd `cmd:"" settings:"data"`
	}
	var out, explained bytes.Buffer
	options := append(config.ParserOptions(&cli.Config, func(string) (string, bool) { return "", false }),
		kong.Writers(&out, &explained), kong.BindTo(t.Context(), (*context.Context)(nil)))
	parser, err := kong.New(&cli, options...)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := parser.Parse(append([]string{"--data=" + data, "keys"}, args...))
	if err == nil {
		err = parsed.Run()
	}
	return out.String(), explained.String(), err
}

func TestKeysCommands(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	if _, _, err := keysCommand(t, data, "list"); err == nil {
		t.Error("listed the keys of no database")
	}
	plain, explained, err := keysCommand(t, data, "create", "--name=مكتب", "--scope=stt,admin")
	if err != nil || !auth.IsGeneratedKey(strings.TrimSuffix(plain, "\n")) || strings.Contains(explained, plain[:20]) {
		t.Fatalf("create printed %q, explained %q, %v", plain, explained, err)
	}
	list, _, err := keysCommand(t, data, "list", "--json")
	var keys []admin.KeyView
	if err != nil || json.Unmarshal([]byte(list), &keys) != nil || len(keys) != 1 || keys[0].Name != "مكتب" {
		t.Fatalf("list --json printed %q, %v", list, err)
	}
	if strings.Contains(list, "hash") || strings.Contains(list, plain[:20]) {
		t.Errorf("list --json shows too much: %s", list)
	}
	if out, explained, err := keysCommand(t, data, "revoke", keys[0].ID); err != nil || out != "" || explained == "" {
		t.Errorf("revoke printed %q, explained %q, %v", out, explained, err)
	}
	table, _, err := keysCommand(t, data, "list", "--org=default")
	lines := strings.Split(strings.TrimSpace(table), "\n")
	if err != nil || len(lines) != 2 || !strings.HasPrefix(lines[1], keys[0].ID) ||
		!strings.Contains(lines[1], "stt,admin") {
		t.Errorf("list printed %q, %v", table, err)
	}
	for _, args := range [][]string{
		{"create", "--scope=root"},
		{"create", "--org=nobody"},
		{"create", "--name="},
		{"revoke", "nothing"},
		{"revoke"},
		{"list", "--org=nobody"},
	} {
		if out, _, err := keysCommand(t, data, args...); err == nil || out != "" {
			t.Errorf("%v printed %q, %v", args, out, err)
		}
	}
}

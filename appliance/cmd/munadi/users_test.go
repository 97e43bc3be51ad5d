package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"munadi/appliance/admin"
	"munadi/appliance/config"
	"munadi/store/account"
)

// TestReadPassword checks that without a terminal the first line is read, whatever ends it.
func TestReadPassword(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		"": "", "\n": "", "secret": "secret", "secret\n": "secret", "كلمة سر\r\nmore": "كلمة سر", " spaces stay \n": " spaces stay ",
	} {
		in := filepath.Join(t.TempDir(), "in")
		if err := os.WriteFile(in, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(in)
		if err != nil {
			t.Fatal(err)
		}
		var asked bytes.Buffer
		got, err := readPassword(f, &asked)
		_ = f.Close()
		if err != nil || got != want || asked.Len() > 0 {
			t.Errorf("%q: read %q, asked %q, %v", content, got, &asked, err)
		}
	}
}

// TestUsersCommands checks that a user is created, listed without secrets, and gets another password.
func TestUsersCommands(t *testing.T) {
	t.Parallel()
	cfg := config.Default()
	cfg.Data = filepath.Join(t.TempDir(), "data")
	var out, explained bytes.Buffer
	var grammar struct{}
	app, err := kong.New(&grammar, kong.Writers(&out, &explained))
	if err != nil {
		t.Fatal(err)
	}
	create := UsersCreateCmd{Name: "amal", Org: account.Default, Role: "operator"}
	if err := create.Run(t.Context(), cfg, app); err != nil {
		t.Fatal(err)
	}
	first := strings.TrimSpace(out.String())
	if len(first) != 23 || strings.Contains(explained.String(), first) || !strings.Contains(explained.String(), "amal") ||
		!strings.Contains(explained.String(), "expires in 3 days") {
		t.Errorf("create printed %q, explained %q", &out, &explained)
	}
	if err := create.Run(t.Context(), cfg, app); err == nil {
		t.Error("made the same user twice")
	}
	out.Reset()
	password := UsersPasswordCmd{Name: "AMAL"}
	if err := password.Run(t.Context(), cfg, app); err != nil || strings.TrimSpace(out.String()) == first {
		t.Errorf("password printed %q, %v", &out, err)
	}
	out.Reset()
	list := UsersListCmd{JSON: true}
	if err := list.Run(t.Context(), cfg, app); err != nil {
		t.Fatal(err)
	}
	var users []admin.UserView
	if err := json.Unmarshal(out.Bytes(), &users); err != nil || len(users) != 1 || users[0].Role != account.Operator {
		t.Errorf("list printed %s, %v", &out, err)
	}
	if strings.Contains(out.String(), "argon2id") || strings.Contains(out.String(), "password") {
		t.Errorf("list shows too much: %s", &out)
	}
	for name, why := range map[string]string{"nobody": "users list", "amal": "no second factor"} {
		remove := UsersRemoveFactorCmd{Name: name}
		if err := remove.Run(t.Context(), cfg, app); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("removed the second factor of %s: %v, want %q", name, err, why)
		}
	}
	missing := UsersPasswordCmd{Name: "nobody"}
	if err := missing.Run(t.Context(), cfg, app); err == nil {
		t.Error("a password for an unknown user")
	}
}

// TestUserRoleFlag checks that --role is a user's role for "users create", and the setting elsewhere.
func TestUserRoleFlag(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"users create amal --role viewer": "users create amal --user-role viewer",
		"users create --role=viewer amal": "users create --user-role=viewer amal",
		"serve --role stt":                "serve --role stt",
	} {
		if got := strings.Join(normalizeArgs(strings.Fields(line)), " "); got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
}

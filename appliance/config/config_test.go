package config_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"munadi/appliance/config"
)

// serveCommand is a command that stores the configuration it is run with.
type serveCommand struct{}

// Run implements the command.
func (*serveCommand) Run(_ context.Context, c *config.Config, kept *configHolder) error {
	kept.Config = *c
	return nil
}

// versionCommand is a command that needs no configuration.
type versionCommand struct{}

// Run implements the command.
func (*versionCommand) Run() error { return nil }

// keysCommand is a command that uses one setting.
type keysCommand struct{}

// Run implements the command.
func (*keysCommand) Run() error { return nil }

// loadConfig runs "munadi" with these arguments and variables, and returns the command's configuration.
func loadConfig(t *testing.T, env map[string]string, args ...string) (config.Config, error) {
	t.Helper()
	got, _, err := runMunadi(t, env, args...)
	return got, err
}

// kongExit carries the exit code of kong to runMunadi.
type kongExit struct{}

// runMunadi is loadConfig, with the output.
func runMunadi(t *testing.T, env map[string]string, args ...string) (got config.Config, printed string, err error) {
	t.Helper()
	var cli struct {
		config.Config
		Serve   serveCommand   `cmd:"" settings:"all"`
		Keys    keysCommand    `cmd:"" settings:"data"`
		Version versionCommand `cmd:""`
	}
	var out bytes.Buffer
	lookup := func(name string) (string, bool) { v, ok := env[name]; return v, ok }
	options := append(config.ParserOptions(&cli.Config, lookup), kong.Name("munadi"), kong.Writers(&out, &out),
		kong.Exit(func(int) { panic(kongExit{}) }), kong.BindTo(t.Context(), (*context.Context)(nil)))
	parser, err := kong.New(&cli, options...)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if caught := recover(); caught != nil {
			if _, ok := caught.(kongExit); !ok {
				panic(caught)
			}
			printed = out.String()
		}
	}()
	parsed, err := parser.Parse(args)
	if err != nil {
		return got, out.String(), err
	}
	var kept configHolder
	err = parsed.Run(&kept)
	return kept.Config, out.String(), err
}

// configHolder holds a configuration.
type configHolder struct{ config.Config }

// writeFile writes a file and returns its path.
func writeFile(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "munadi.yaml")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestDefaults(t *testing.T) {
	t.Parallel()
	got, err := loadConfig(t, nil, "serve")
	if err != nil {
		t.Fatal(err)
	}
	if got != *config.Default() {
		t.Errorf("without any choice %+v, default %+v", got, *config.Default())
	}
	if got.Listen != "127.0.0.1:8080" || got.MaxUpload != 100<<20 || got.MaxDuration != config.Duration(4*time.Hour) ||
		got.Queue != 64 || got.TimeScale != 1 || got.Carrier != "simulator" || got.Store != "badger" || got.Threads != 0 {
		t.Errorf("defaults %+v", got)
	}
	if got.DatabaseFolder() != "munadi-data/db" || got.CacheDir() != "munadi-data/cache" {
		t.Errorf("database in %s, cache in %s", got.DatabaseFolder(), got.CacheDir())
	}
}

// TestOrder checks the precedence: flag, environment variable, file, default.
func TestOrder(t *testing.T) {
	t.Parallel()
	path := writeFile(t, "queue: 3\nthreads: 3\nmax-duration: 3h\ndata:\n")
	env := map[string]string{"MUNADI_QUEUE": "2", "MUNADI_THREADS": "2", "MUNADI_CONFIG": path, "MUNADI_MODEL": ""}
	got, err := loadConfig(t, env, "serve", "--queue=1")
	if err != nil {
		t.Fatal(err)
	}
	want := *config.Default()
	want.File, want.Queue, want.Threads, want.MaxDuration = path, 1, 2, config.Duration(3*time.Hour)
	if got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestSecretsComeFromTheEnvironment(t *testing.T) {
	t.Parallel()
	const key, password = "operator's own key", "hunter2hunter2"
	env := map[string]string{"MUNADI_BOOTSTRAP_API_KEY": key, "MUNADI_BOOTSTRAP_ADMIN_PASSWORD": password}
	got, err := loadConfig(t, env, "serve")
	if err != nil || got.BootstrapAPIKey != key || got.BootstrapAdminPassword != password {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := loadConfig(t, nil, "serve", "--bootstrap-api-key="+key); err == nil {
		t.Error("a secret was taken from the command line")
	}
	_, err = loadConfig(t, nil, "serve", "--config="+writeFile(t, "bootstrap-api-key: "+key))
	if err == nil || !strings.Contains(err.Error(), "MUNADI_BOOTSTRAP_API_KEY") || strings.Contains(err.Error(), key) {
		t.Errorf("a secret in the file: %v", err)
	}
	_, err = loadConfig(t, map[string]string{"MUNADI_BOOTSTRAP_API_KEY": "too short"}, "serve")
	if err == nil || strings.Contains(err.Error(), "too short") {
		t.Errorf("an impossible key: %v", err)
	}
}

// TestEveryFaultAtOnce checks that all faults are reported with their place, in the order of the file and then of the
// settings.
func TestEveryFaultAtOnce(t *testing.T) {
	t.Parallel()
	path := writeFile(t, "lisen: 127.0.0.1:1\nqueue: many\nmax_upload: 1MiB\nthreads: [1, 2]\ncarrier: pigeon\n"+
		"data: here\ndata: there\nconfig: other.yaml\n")
	env := map[string]string{"MUNADI_TIME_SCALE": "-1", "MUNADI_MAX_UPLOAD": "big", "MUNADI_STORE": "postgres://u:pw@h:port/d"}
	_, err := loadConfig(t, env, "serve", "--config="+path, "--listen=nowhere", "--log-level=loud", "--max-duration=0s",
		"--public-url=ftp://x", "--metrics-token=two words")
	var faults *config.ConfigError
	if !errors.As(err, &faults) {
		t.Fatalf("error %v", err)
	}
	want := []string{
		path + `:1: unknown key "lisen" (did you mean "listen"?)`,
		path + `:3: unknown key "max_upload" (did you mean "max-upload"?)`,
		path + `:4: threads must be a single value`,
		path + `:7: data is set twice`,
		path + `:8: unknown key "config"`,
		`--listen: "nowhere" is not an address`,
		`--public-url: "ftp://x" is not a web address`,
		`MUNADI_STORE: is not a URL of the form postgres://`,
		path + `:2: queue: "many" is not a whole number`,
		`MUNADI_MAX_UPLOAD: "big" is not a size`,
		`--max-duration: 0s is less than 1`,
		path + `:5: carrier: "pigeon" is not one of simulator, sip`,
		`MUNADI_TIME_SCALE: -1 is not within`,
		`--metrics-token: a token must consist of`,
		`--log-level: `,
	}
	if len(faults.Faults) != len(want) {
		t.Errorf("%d faults, want %d:\n%v", len(faults.Faults), len(want), err)
	}
	for i, fault := range faults.Faults {
		if i < len(want) && !strings.HasPrefix(fault, want[i]) {
			t.Errorf("fault %d: %s\nwant    %s…", i, fault, want[i])
		}
	}
	if strings.Contains(err.Error(), "pw") {
		t.Errorf("the error shows the database's password: %v", err)
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	for arg, want := range map[string]string{
		"--carrier=pigeon":                      "not one of simulator, sip",
		"--store=mysql://h/d":                   "must be badger, or postgres://",
		"--store=sqlite":                        "must be badger",
		"--public-url=https://u:hush@h":         "must not have a user",
		"--proxy=u:hush@h:3128":                 "not a web address",
		"--proxy=http://u:hush@h:3128":          "must not have a user",
		"--speech-url=http://u:hu%sh@h":         "not a web address",
		"--public-url=https://h/?q":             "query",
		"--threads=-1":                          "less than 0",
		"--queue=0":                             "less than 1",
		"--queue=9999999":                       "more than",
		"--time-scale=NaN":                      "not a number",
		"--time-scale=0":                        "not within",
		"--max-upload=0":                        "less than 1",
		"--log-format=xml":                      "not one of text, json",
		"--data=":                               "must not be empty",
		"--config=/nowhere/munadi.yaml":         "there is no file /nowhere/munadi.yaml",
		"--config=" + writeFile(t, "a: b: c"):   "munadi.yaml",
		"--config=" + writeFile(t, "- listen"):  "not a list of settings",
		"--config=" + writeFile(t, "zzzzzzz: "): `unknown key "zzzzzzz"`,
	} {
		_, err := loadConfig(t, nil, "serve", arg)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", arg, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "hush") {
			t.Errorf("%s shows a password: %v", arg, err)
		}
	}
	for _, content := range []string{"", "---\n", "# only a comment\n", "null\n"} {
		if _, err := loadConfig(t, nil, "serve", "--config="+writeFile(t, content)); err != nil {
			t.Errorf("file %q: %v", content, err)
		}
	}
}

// TestCommandWithoutConfiguration checks that a faulty configuration does not affect a command that needs none.
func TestCommandWithoutConfiguration(t *testing.T) {
	t.Parallel()
	if _, err := loadConfig(t, map[string]string{"MUNADI_QUEUE": "x"}, "version"); err != nil {
		t.Error(err)
	}
}

func TestHelp(t *testing.T) {
	t.Parallel()
	_, full, err := runMunadi(t, nil, "serve", "--help")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`--listen="127.0.0.1:8080"`, `--data="./munadi-data"`, `--max-upload=100MiB`, `--max-duration=4h`,
		`--time-scale=1`, `--queue=64`, "$MUNADI_METRICS_TOKEN", "$MUNADI_BOOTSTRAP_API_KEY", "--config",
		`--public-url=""`, `--carrier="simulator"`, `--store="badger"`, "--log-level=info", "--threads=0", "--ffmpeg=",
		"--model=", "--cache=", "--log-format=", "$MUNADI_BOOTSTRAP_ADMIN_PASSWORD",
	} {
		if !strings.Contains(full, want) {
			t.Errorf("the help of serve lacks %s:\n%s", want, full)
		}
	}
	for _, want := range []string{
		"Default: true. ($MUNADI_LDAP_STARTTLS)", "Default: true. ($MUNADI_OIDC_CREATE)", "Default: false. ($MUNADI_SIP_REGISTER)",
	} {
		if !strings.Contains(strings.Join(strings.Fields(full), " "), want) {
			t.Errorf("the help of serve lacks %s", want)
		}
	}
	_, short, err := runMunadi(t, nil, "keys", "--help")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(short, "--data") || strings.Contains(short, "--queue") || strings.Contains(short, "BOOTSTRAP") {
		t.Errorf("the help of keys shows another command's settings:\n%s", short)
	}
}

// TestCommandsWithoutServicePasswords checks that commands run without passwords that may be in the service's environment
// alone, which people who run them cannot read.
func TestCommandsWithoutServicePasswords(t *testing.T) {
	t.Parallel()
	_, err := loadConfig(t, nil, "keys", "--carrier=sip", "--sip-trunk=sip:trunk.example.com", "--sip-user=me", "--smtp-host=mail.example.com",
		"--smtp-user=me", "--mail-from=a@example.com", "--oidc-issuer=https://login.example.com", "--oidc-client-id=munadi",
		"--oidc-roles=a=owner", "--ldap-url=ldaps://ldap.example.com", "--ldap-bind-dn=cn=munadi,dc=example,dc=com",
		"--ldap-base=dc=example,dc=com", "--ldap-roles=a=owner")
	if err != nil {
		t.Error(err)
	}
}

// TestAnnotatedFileEqualsTheDefaults checks that the shipped file lists every setting with its default.
func TestAnnotatedFileEqualsTheDefaults(t *testing.T) {
	t.Parallel()
	var annotated bytes.Buffer
	if err := config.WriteAnnotated(&annotated); err != nil {
		t.Fatal(err)
	}
	path := writeFile(t, annotated.String())
	got, err := loadConfig(t, nil, "serve", "--config="+path)
	if err != nil {
		t.Fatal(err)
	}
	want := *config.Default()
	want.File = path
	if got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	_, help, err := runMunadi(t, nil, "serve", "--help")
	if err != nil {
		t.Fatal(err)
	}
	named := 0
	for line := range strings.Lines(annotated.String()) {
		if len(line) > 100 {
			t.Errorf("a long line: %s", line)
		}
		if name, _, ok := strings.Cut(line, ": "); ok && !strings.HasPrefix(line, "#") {
			named++
			if !strings.Contains(help, fmt.Sprintf("--%s=", name)) && !strings.Contains(help, fmt.Sprintf("--%s ", name)) {
				t.Errorf("%s is in the file and not in the help", name)
			}
		}
	}
	if flags := strings.Count(help, "($MUNADI_"); flags != named+1 { // --config is in no file
		t.Errorf("%d settings in the file, %d in the help", named, flags)
	}
}

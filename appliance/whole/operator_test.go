package whole_test

import (
	"bytes"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// lineWords returns the words of a line.
func lineWords(line string) func(func(string) bool) { return strings.FieldsSeq(line) }

// commandOutcome is the result of one run of the binary.
type commandOutcome struct {
	stdout, stderr string
	code           int
}

// runMunadi runs a command to its end.
func runMunadi(t testing.TB, env []string, args ...string) commandOutcome {
	t.Helper()
	cmd := newCommand(builtBinary(t), args...)
	cmd.Env = append(cmd.Env, env...)
	return finishCommand(t, cmd)
}

func finishCommand(t testing.TB, cmd *exec.Cmd) commandOutcome {
	t.Helper()
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	mustSucceed(t, cmd.Start())
	tooLong := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
	err := cmd.Wait()
	if !tooLong.Stop() {
		t.Fatalf("%v does not end: %v\n%s%s", cmd.Args, err, &out, &errs)
	}
	return commandOutcome{out.String(), errs.String(), cmd.ProcessState.ExitCode()}
}

// wantRefused expects a failure whose message has these words, and no stack trace.
func (o commandOutcome) wantRefused(t testing.TB, what string, says ...string) {
	t.Helper()
	if o.code == 0 || strings.Contains(o.stderr, "goroutine ") {
		t.Errorf("%s: code %d: %s", what, o.code, o.stderr)
	}
	for _, word := range says {
		if !strings.Contains(o.stderr, word) {
			t.Errorf("%s: %q is not in what it says: %s", what, word, o.stderr)
		}
	}
}

// TestServeRefuses checks that operators' mistakes are named, with the remedy.
func TestServeRefuses(t *testing.T) {
	t.Parallel()
	free := "127.0.0.1:0"
	data := func() string { return filepath.Join(t.TempDir(), "data") }
	taken, err := net.Listen("tcp", free)
	mustSucceed(t, err)
	t.Cleanup(func() { _ = taken.Close() })
	spoken, err := net.ListenPacket("udp", free)
	mustSucceed(t, err)
	t.Cleanup(func() { _ = spoken.Close() })
	trunk := func() []string {
		return []string{"--listen", free, "--carrier", "sip", "--sip-trunk", "sip:127.0.0.1:9"}
	}
	file := filepath.Join(t.TempDir(), "file")
	mustSucceed(t, os.WriteFile(file, nil, 0o600))
	unknown := filepath.Join(t.TempDir(), "munadi.yaml")
	mustSucceed(t, os.WriteFile(unknown, []byte("listen: 127.0.0.1:0\nlissten: x\nthreads: many\n"), 0o600))
	for name, c := range map[string]struct {
		args, env, says []string
	}{
		"port taken":        {[]string{"--listen", taken.Addr().String(), "--data", data()}, nil, []string{taken.Addr().String(), "another program has it", "ss -lntup", "--listen"}},
		"data is a file":    {[]string{"--listen", free, "--data", file}, nil, []string{file, "--data"}},
		"data below a file": {[]string{"--listen", free, "--data", file + "/x"}, nil, []string{file, "--data"}},
		"postgres": {
			[]string{"--listen", free, "--data", data(), "--store", "postgres://munadi:secret-word@127.0.0.1:1/munadi"},
			nil,
			[]string{"--store", "does not answer", "refused"},
		},
		"postgres by environment": {
			[]string{"--listen", free, "--data", data()},
			[]string{"MUNADI_STORE=postgres://munadi:secret-word@127.0.0.1:1/munadi"},
			[]string{"MUNADI_STORE", "does not answer"},
		},
		"yaml": {
			[]string{"--listen", free, "--data", data(), "--config", unknown},
			nil,
			[]string{"lissten", "munadi.yaml:2", "threads", "munadi.yaml:3"},
		},
		"no such yaml":      {[]string{"--data", data(), "--config", file + ".yaml"}, nil, []string{file + ".yaml"}},
		"flag":              {[]string{"--lissten", free}, nil, []string{"--lissten"}},
		"another's address": {[]string{"--listen", "192.0.2.77:0", "--data", data()}, nil, []string{"192.0.2.77:0", "no such address", "--listen"}},
		"address":           {[]string{"--listen", "nowhere", "--data", data()}, nil, []string{"listen", "nowhere"}},
		"environment":       {[]string{"--data", data()}, []string{"MUNADI_QUEUE=none"}, []string{"MUNADI_QUEUE", "none"}},
		"carrier":           {[]string{"--data", data(), "--carrier", "pigeon"}, nil, []string{"carrier", "pigeon"}},
		"no password":       {append(trunk(), "--data", data(), "--sip-user", "me"), nil, []string{"MUNADI_SIP_PASSWORD", "sip-from"}},
		"no such authority": {append(trunk(), "--data", data(), "--sip-trunk", "sips:h", "--sip-ca", file), nil, []string{"sip-ca", file, "PEM"}},
		"signals taken":     {append(trunk(), "--data", data(), "--sip-listen", spoken.LocalAddr().String()), nil, []string{"another program has it", "--sip-listen"}},
		"short key":         {[]string{"--listen", free, "--data", data()}, []string{"MUNADI_BOOTSTRAP_API_KEY=short"}, []string{"MUNADI_BOOTSTRAP_API_KEY"}},
		"no such key file": {
			[]string{"--listen", free, "--data", data(), "--database-key", file + ".key"}, nil, []string{"database's key", file + ".key", "no such file"},
		},
		"model that is not": {[]string{"--listen", free, "--data", data(), "--model", t.TempDir()}, nil, []string{"model"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := runMunadi(t, c.env, append([]string{"serve"}, c.args...)...)
			got.wantRefused(t, name, c.says...)
			if blames := strings.Contains(got.stderr, "set another with --data"); blames && !slices.Contains(c.says, "--data") {
				t.Errorf("the data folder is blamed: %s", got.stderr)
			}
			if strings.Contains(got.stdout+got.stderr, "secret-word") {
				t.Errorf("a password is shown: %s", got.stderr)
			}
		})
	}
}

// TestFolderThatCannotBeWritten checks a data folder without write permission, and one that cannot be created.
func TestFolderThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "closed")
	old := filepath.Join(dir, "old")
	mustSucceed(t, os.MkdirAll(old, 0o500))
	mustSucceed(t, os.Chmod(dir, 0o500))
	t.Cleanup(func() { _ = os.Chmod(dir, 0o700); _ = os.Chmod(old, 0o700) })
	for _, data := range []string{filepath.Join(dir, "new"), old} {
		cmd := newCommand(builtBinary(t), "serve", "--listen", "127.0.0.1:0", "--data", data)
		if os.Geteuid() == 0 { // root may write anywhere
			cmd = asNobody(t, cmd, dir)
		}
		finishCommand(t, cmd).wantRefused(t, data, data, "may not write", "chown", "--data")
	}
	keys := newCommand(builtBinary(t), "keys", "create", "--data", old)
	if os.Geteuid() == 0 {
		keys = asNobody(t, keys, dir)
	}
	finishCommand(t, keys).wantRefused(t, "keys", old, "may not write", "--data")
	// Not even root can make a folder in /proc.
	runMunadi(t, nil, "serve", "--listen", "127.0.0.1:0", "--data", "/proc/munadi").wantRefused(t, "/proc", "/proc/munadi", "--data")
}

// TestRootLeavesNothingInAnothersFolder checks that commands run by root write no file into another user's data folder,
// which the service, which is not root, could not read.
func TestRootLeavesNothingInAnothersFolder(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("not root")
	}
	data := filepath.Join(t.TempDir(), "data")
	mustSucceed(t, os.Mkdir(data, 0o700))
	mustSucceed(t, os.Chown(data, 65534, 65534))
	empty := filepath.Join(t.TempDir(), "empty.backup")
	mustSucceed(t, os.WriteFile(empty, nil, 0o600))
	for _, line := range [][]string{
		{"keys", "create"}, {"users", "create", "amal"}, {"restore", empty}, {"model", "use", "built-in"}, {"model", "import", "."},
	} {
		runMunadi(t, nil, append(line, "--data", data)...).wantRefused(t, line[0], data, "belongs to user nobody", "sudo -u 'nobody'")
	}
	doctor := newCommand(builtBinary(t), "doctor", "--data", data, "--listen", "127.0.0.1:0")
	doctor.Env = append(doctor.Env, "XDG_CACHE_HOME="+filepath.Join(t.TempDir(), "cache"))
	finishCommand(t, doctor).wantDone(t, "doctor")
	if left, err := os.ReadDir(data); err != nil || len(left) > 0 {
		t.Errorf("left there: %v, %v", left, err)
	}
	mine := newCommand(builtBinary(t), "keys", "create", "--data", data)
	finishCommand(t, asNobody(t, mine, data)).wantDone(t, "keys as the folder's owner")
	runMunadi(t, nil, "keys", "create", "--data", data).wantRefused(t, "keys in a database of another", "sudo -u 'nobody'")
}

// wantDone expects success.
func (o commandOutcome) wantDone(t testing.TB, what string) {
	t.Helper()
	if o.code != 0 {
		t.Errorf("%s: %+v", what, o)
	}
}

// TestUnreadableWorkingFolder checks that a command works in a working folder that its user may not read, such as
// another's home.
func TestUnreadableWorkingFolder(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	t.Cleanup(func() { _ = os.Chmod(home, 0o700) })
	// The permission is dropped inside the folder, since a process cannot start in one that it may not read.
	script := `cd "$0" && chmod 0 . && exec "$@"`
	words := []string{"-c", script, home}
	program := newCommand(builtBinary(t))
	if os.Geteuid() == 0 {
		if _, err := exec.LookPath("setpriv"); err != nil {
			t.Skip("root may look into anything, and there is no setpriv(1)")
		}
		words = append(words, "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
		program = asNobody(t, program, t.TempDir())
	}
	cmd := newCommand("/bin/sh", append(words, program.Path, "config", "--check")...)
	finishCommand(t, cmd).wantDone(t, "in a closed folder")
}

// asNobody runs a command as the user nobody, who can reach the program and the folder.
func asNobody(t *testing.T, cmd *exec.Cmd, folder string) *exec.Cmd {
	t.Helper()
	const nobody = 65534
	open := t.TempDir()
	program := filepath.Join(open, "munadi")
	mustSucceed(t, os.Link(cmd.Path, program))
	for _, path := range []string{program, open, folder} {
		for at := filepath.Dir(path); at != "/" && at != os.TempDir(); at = filepath.Dir(at) {
			mustSucceed(t, os.Chmod(at, 0o711))
		}
	}
	mustSucceed(t, os.Chown(folder, nobody, nobody))
	cmd.Path, cmd.Dir = program, "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	return cmd
}

// TestSecondAppliance checks that a data folder is used by one appliance at a time.
func TestSecondAppliance(t *testing.T) {
	t.Parallel()
	a := sharedInstance(t)
	runMunadi(t, nil, "serve", "--listen", "127.0.0.1:0", "--data", a.Data).
		wantRefused(t, "a second one", a.Data, "another appliance runs on", "in use by process", "--data")
}

// TestSettingsByRank checks the precedence of settings: flags, environment, file, default.
func TestSettingsByRank(t *testing.T) {
	t.Parallel()
	yaml := filepath.Join(t.TempDir(), "munadi.yaml")
	mustSucceed(t, os.WriteFile(yaml, []byte("public-url: http://by.file\nlisten: 127.0.0.1:1\n"), 0o600))
	for want, s := range map[string]instanceSettings{
		"http://by.flag": {args: []string{"--config", yaml, "--public-url", "http://by.flag"}, env: []string{"MUNADI_PUBLIC_URL=http://by.env"}},
		"http://by.env":  {args: []string{"--config", yaml}, env: []string{"MUNADI_PUBLIC_URL=http://by.env"}},
		"http://by.file": {env: []string{"MUNADI_CONFIG=" + yaml}},
	} {
		if a := startInstance(t, s); !strings.Contains(a.log.String(), "url="+want+"\n") {
			t.Errorf("want %s: %s", want, a.log.lastLines())
		}
	}
}

// TestHelp checks that the help lists every setting of the contract with its default.
func TestHelp(t *testing.T) {
	t.Parallel()
	got := runMunadi(t, nil, "serve", "--help")
	for _, setting := range []string{
		"--listen", "127.0.0.1:8080", "MUNADI_LISTEN", "--data", "./munadi-data", "--public-url", "--store", "badger", "--model",
		"--carrier", "simulator", "--metrics-token", "MUNADI_BOOTSTRAP_API_KEY", "MUNADI_BOOTSTRAP_ADMIN_PASSWORD", "--time-scale",
		"MUNADI_TIME_SCALE", "MUNADI_LLM_KEY",
	} {
		if !strings.Contains(got.stdout, setting) {
			t.Errorf("%s is not in the help", setting)
		}
	}
	if got.code != 0 {
		t.Errorf("code %d", got.code)
	}
}

// TestVersion and TestDoctor check the output on a working machine.
func TestVersion(t *testing.T) {
	t.Parallel()
	got := runMunadi(t, nil, "version")
	if got.code != 0 || !strings.HasPrefix(got.stdout, "munadi ") || !strings.Contains(got.stdout, "ONNX Runtime") {
		t.Errorf("%+v", got)
	}
}

func TestDoctor(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	got := runMunadi(t, nil, "doctor", "--data", data, "--cache", cacheDir(), "--listen", "127.0.0.1:0")
	if got.code != 0 || strings.Contains(got.stdout, "FAIL") {
		t.Errorf("%+v", got)
	}
	for _, check := range []string{"data folder", "model", "microphone", "ffmpeg", "carrier"} {
		if !strings.Contains(got.stdout, check) {
			t.Errorf("%s is not checked: %s", check, got.stdout)
		}
	}
	a := sharedInstance(t)
	running := runMunadi(t, nil, "doctor", "--data", a.Data, "--cache", cacheDir())
	if running.code != 0 || !strings.Contains(running.stdout, "runs on this data folder") {
		t.Errorf("%+v", running)
	}
	ill := runMunadi(t, nil, "doctor", "--data", "/proc/munadi", "--cache", cacheDir(), "--listen", "127.0.0.1:0")
	if ill.code == 0 || !strings.Contains(ill.stdout, "FAIL") {
		t.Errorf("%+v", ill)
	}
}

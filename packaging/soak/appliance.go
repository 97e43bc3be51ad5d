package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"munadi/packaging/launcher"
)

// patience is the timeout of a start, and of one request, on a busy machine.
const patience = 2 * time.Minute

const key = "soak-0123456789abcdef"

// Time scales of simulated calls. The fast one uses all processor time: it is for kills and endurance, not for
// measuring latency.
const (
	realTime = "1"
	fast     = "20"
)

// soakAppliance is the program under test, across its restarts.
type soakAppliance struct {
	program, data, cache string
	witness              *soakWitness
	log                  io.Writer     // its log
	timeScale            string        // of simulated calls
	lines                string        // empty: 8
	name                 string        // among several
	tends                []string      // parts of errors in its log that are expected
	args, env            []string      // more of them
	clock                time.Duration // how far its clock is ahead

	url     string
	process *launcher.Process
}

func newAppliance(p soakPlan, w *soakWitness) (*soakAppliance, error) {
	program, err := filepath.Abs(p.munadi)
	if err != nil {
		return nil, err
	}
	log, err := os.Create(filepath.Join(p.folder, "munadi.log"))
	return &soakAppliance{
		program: program, data: filepath.Join(p.folder, "data"), cache: filepath.Join(p.folder, "cache"), witness: w,
		log: log, timeScale: realTime,
	}, err
}

// startLife starts the program and returns when it is ready.
func (a *soakAppliance) startLife(ctx context.Context) (err error) {
	a.witness.noteRestart()
	if a.process, err = launcher.StartProcess(launcher.LaunchOptions{
		Program: a.program,
		Args: launcher.ServeArgs(a.data, a.cache, append([]string{
			"--lines", cmp.Or(a.lines, "8"), "--time-scale", a.timeScale, "--log-format", "json",
		}, a.args...)...),
		Env:   append(append(os.Environ(), "MUNADI_BOOTSTRAP_API_KEY="+key), a.env...),
		Log:   a.readLine,
		Clock: a.clock,
	}); err != nil {
		return fmt.Errorf("%w; see munadi.log", err)
	}
	a.url = a.process.URL
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return a.process.AwaitReady(ctx)
}

// readLine stores a line of the log and passes it to the witness.
func (a *soakAppliance) readLine(line string) {
	_, _ = fmt.Fprintln(a.log, line)
	var entry struct {
		Msg    string `json:"msg"`
		Level  string `json:"level"`
		CallID string `json:"call_id"`
	}
	if json.Unmarshal([]byte(line), &entry) != nil {
		return
	}
	switch {
	case entry.Msg == "call is dialled":
		a.witness.noteDialled(entry.CallID, a.name)
	case entry.Level == "ERROR" && !a.isExpected(line):
		a.witness.addFault("wrong", "the log says: %s", line)
	}
}

// isExpected reports whether an error in the log is caused by an injected fault: it names the unavailable part.
func (a *soakAppliance) isExpected(line string) bool {
	return slices.ContainsFunc(a.tends, func(part string) bool { return strings.Contains(line, part) })
}

// killProcess kills the program (SIGKILL).
func (a *soakAppliance) killProcess() {
	if a.process != nil {
		a.process.Kill()
	}
}

// runCommand runs a command of the program on the data folder, and returns its output and its error text.
func (a *soakAppliance) runCommand(ctx context.Context, args ...string) (printed, explained string, err error) {
	var out, told strings.Builder
	cmd := exec.CommandContext(ctx, a.program, append(args, "--data", a.data)...)
	cmd.Stdout, cmd.Stderr = &out, &told
	err = cmd.Run()
	return out.String(), told.String(), err
}

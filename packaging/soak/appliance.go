package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// patience is how long a start, or one request, may take on a machine that is busy with other things.
const patience = 2 * time.Minute

const key = "soak-0123456789abcdef"

// Time scales of simulated calls. At the fast one they take all the processor time that there is: it is for cuts and
// endurance, and not where latency is measured.
const (
	realTime = "1"
	fast     = "20"
)

// soakAppliance is the program under test, over its many lives.
type soakAppliance struct {
	program, data, cache string
	witness              *soakWitness
	log                  io.Writer // what it says
	timeScale            string    // of simulated calls

	url    string
	cmd    *exec.Cmd
	exited chan struct{}
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

// startLife begins a life and returns when it is ready.
func (a *soakAppliance) startLife(ctx context.Context) error {
	a.witness.noteRestart()
	a.cmd = exec.Command(a.program, "serve", "--listen", "127.0.0.1:0", "--data", a.data, "--cache", a.cache,
		"--lines", "8", "--time-scale", a.timeScale, "--log-format", "json")
	a.cmd.Env = append(os.Environ(), "MUNADI_BOOTSTRAP_API_KEY="+key)
	said, err := a.cmd.StderrPipe()
	if err != nil {
		return err
	}
	a.cmd.Stdout = a.log
	if err := a.cmd.Start(); err != nil {
		return err
	}
	a.exited = make(chan struct{})
	listening := make(chan string, 1)
	go func(exited chan struct{}, cmd *exec.Cmd) {
		a.readLog(said, listening)
		_ = cmd.Wait() // it is killed
		close(exited)
	}(a.exited, a.cmd)
	select {
	case a.url = <-listening:
	case <-a.exited:
		return errors.New("the appliance ended at its start; see munadi.log")
	case <-time.After(patience):
		return errors.New("the appliance does not listen")
	}
	return a.awaitReady(ctx)
}

// readLog keeps the log and tells the witness of what it says.
func (a *soakAppliance) readLog(said io.Reader, listening chan<- string) {
	for lines := bufio.NewReader(said); ; {
		line, err := lines.ReadBytes('\n')
		_, _ = a.log.Write(line)
		var entry struct {
			Msg    string `json:"msg"`
			Level  string `json:"level"`
			Addr   string `json:"addr"`
			CallID string `json:"call_id"`
		}
		if json.Unmarshal(line, &entry) == nil {
			switch {
			case entry.Msg == "listening":
				listening <- "http://" + entry.Addr
			case entry.Msg == "call ended":
				a.witness.noteDialled(entry.CallID)
			case entry.Level == "ERROR":
				a.witness.addFault("wrong", "the log says: %s", line)
			}
		}
		if err != nil {
			return
		}
	}
}

func (a *soakAppliance) awaitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for ctx.Err() == nil {
		if got, err := a.requestJSON(ctx, http.MethodGet, "/readyz", nil); err == nil && got.status == http.StatusOK {
			return nil
		}
		sleepContext(ctx, 10*time.Millisecond)
	}
	return fmt.Errorf("never ready: %w", ctx.Err())
}

// killProcess cuts the power.
func (a *soakAppliance) killProcess() {
	if a.cmd == nil || a.cmd.Process == nil {
		return
	}
	_ = a.cmd.Process.Kill() // it may be dead already
	<-a.exited
	http.DefaultClient.CloseIdleConnections()
}

// runCommand runs a command of the program on the data folder, and is what it prints and what it explains.
func (a *soakAppliance) runCommand(ctx context.Context, args ...string) (printed, explained string, err error) {
	var out, told strings.Builder
	cmd := exec.CommandContext(ctx, a.program, append(args, "--data", a.data)...)
	cmd.Stdout, cmd.Stderr = &out, &told
	err = cmd.Run()
	return out.String(), told.String(), err
}

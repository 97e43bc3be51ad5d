package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"munadi/appliance/carrier/sip/sipptest"
	"munadi/packaging/launcher"
)

// peopleScenario is the remote side of a sound trunk: the last digits of a number choose the person.
const peopleScenario = "appliance/carrier/sip/testdata/numbers.xml"

// Last digits of that scenario's numbers.
const (
	talks      = "00" // confirms
	neverHeard = "88" // answers, and sends no audio
	breaksOff  = "89" // answers, and stops sending audio in the middle
)

// refusals are what refusing trunks answer to INVITE, while they answer OPTIONS with 200.
var refusals = []string{"403 Account Suspended", "503 Service Unavailable"}

// trunkReport is the result of calls over faulty trunks, as JSON beside the logs.
type trunkReport struct {
	Calls   int             `json:"calls"` // over each trunk
	Dead    *deadAudioRun   `json:"dead_audio"`
	Refused []*refusedCalls `json:"refusing"`
	Faults  []soakFault     `json:"faults"`
}

// deadAudioRun counts calls over a trunk some of whose people send no audio, or stop to.
type deadAudioRun struct {
	Dead      int  `json:"dead"`      // answered, and not heard, or not any more: attempts
	NoAudio   int  `json:"no_audio"`  // of them: failed by that reason
	Retried   int  `json:"retried"`   // first attempts with a second one
	Completed int  `json:"completed"` // of as many sound calls between them
	Alerted   bool `json:"alerted"`
}

// refusedCalls counts calls over a trunk that refuses them for a while.
type refusedCalls struct {
	Answer    string `json:"answer"`
	Lost      int    `json:"lost"`      // failed while it refused
	Kept      int    `json:"kept"`      // scheduled or dialling then
	Completed int    `json:"completed"` // of those, after it was healed
	Trials    int    `json:"trials"`    // calls that tried it
}

// trunkSoak runs calls over faulty trunks.
type trunkSoak struct {
	soakPlan

	w   *soakWitness
	out io.Writer
}

// runTrunkSoak runs calls over a trunk with dead audio, and over trunks that refuse calls and then heal.
func runTrunkSoak(ctx context.Context, p soakPlan, out io.Writer) error {
	w, err := newWitness()
	if err != nil {
		return err
	}
	defer w.closeServer()
	s := &trunkSoak{soakPlan: p, w: w, out: out}
	r := trunkReport{Calls: p.trunkCalls, Refused: make([]*refusedCalls, len(refusals))}
	var all errgroup.Group
	all.Go(func() (err error) {
		r.Dead, err = s.runDeadAudio(ctx)
		return err
	})
	for i, answer := range refusals {
		all.Go(func() (err error) {
			r.Refused[i], err = s.runRefusingTrunk(ctx, i+1, answer)
			return err
		})
	}
	if err := all.Wait(); err != nil {
		return err
	}
	r.Faults = w.countFaults().Faults
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s\n", text)
	if len(r.Faults) > 0 {
		err = fmt.Errorf("%d faults found over faulty trunks", len(r.Faults))
	}
	return errors.Join(err, os.WriteFile(filepath.Join(p.folder, "trunks.json"), append(text, '\n'), 0o600))
}

// startTrunk starts the appliance of a number in a new folder. Its calls go over SIPp with a scenario. stop ends both.
func (s *trunkSoak) startTrunk(
	ctx context.Context, n int, scenario string,
) (a *soakAppliance, replace func(scenario string) error, stop func(), err error) {
	folder, address := s.folderOf(n), sipptest.OwnAddress().String()
	if err := errors.Join(os.RemoveAll(folder), os.MkdirAll(folder, 0o700)); err != nil {
		return nil, nil, nil, err
	}
	p := s.soakPlan
	p.folder = folder
	if a, err = newAppliance(p, s.w); err != nil {
		return nil, nil, nil, err
	}
	a.cache, a.tends = filepath.Join(s.folder, "cache"), []string{"the SIP trunk refuses calls"}
	a.args = []string{
		"--carrier", "sip", "--sip-trunk", "sip:" + address, "--sip-from", "966112345678",
		"--sip-media-ports", fmt.Sprintf("%d-%d", 31000+200*n, 31199+200*n), "--backup-at", "none",
	}
	a.lines = "20"
	peer, err := launcher.StartSIPp(folder, address, scenario)
	if err != nil {
		return nil, nil, nil, err
	}
	replace = func(scenario string) (err error) {
		peer()
		peer, err = launcher.StartSIPp(folder, address, scenario)
		return err
	}
	stop = func() { a.killProcess(); peer() }
	if err = a.startLife(ctx); err == nil {
		err = a.setWebhook(ctx, s.w.endpoint)
	}
	if err != nil {
		stop()
	}
	return a, replace, stop, err
}

func (s *trunkSoak) folderOf(n int) string {
	return filepath.Join(s.folder, fmt.Sprintf("trunk-%d", n))
}

// bookCalls books calls at once as a campaign, to numbers with these last digits in turn.
func (s *trunkSoak) bookCalls(ctx context.Context, a *soakAppliance, retry jsonObject, endings ...string) error {
	var rows []jsonObject
	for n := range s.trunkCalls {
		rows = append(rows, jsonObject{"phone_number": fmt.Sprintf("+9665%06d%s", n, endings[n%len(endings)])})
	}
	_, err := a.createRecord(ctx, "/api/v1/campaigns", jsonObject{
		"name": "soak", "scenario_id": "appointment_confirmation", "calls": rows, "retry": retry,
	})
	return err
}

// runDeadAudio makes calls whose people send no audio or stop to, and as many sound ones.
func (s *trunkSoak) runDeadAudio(ctx context.Context) (*deadAudioRun, error) {
	people, err := os.ReadFile(peopleScenario)
	if err != nil {
		return nil, err
	}
	a, _, stop, err := s.startTrunk(ctx, 0, string(people))
	if err != nil {
		return nil, err
	}
	defer stop()
	retry := jsonObject{"max_attempts": 2, "delay_minutes": []int{1}}
	if err := s.bookCalls(ctx, a, retry, neverHeard, breaksOff, talks, talks); err != nil {
		return nil, err
	}
	calls, err := awaitEnded(ctx, a)
	if err != nil {
		return nil, err
	}
	doctor, _, _ := a.runCommand(ctx, "doctor", "--cache", a.cache, "--listen", "127.0.0.1:0")
	alerted := strings.Contains(doctor, "got no audio") && s.w.heardAlert("no_audio", "default")
	r := s.w.judgeDeadAudio(calls, alerted)
	printLine(s.out, "dead audio: %+v", *r)
	return r, nil
}

// runRefusingTrunk makes calls over a trunk that refuses each, until it was tried a second time, and then takes them.
func (s *trunkSoak) runRefusingTrunk(ctx context.Context, n int, answer string) (*refusedCalls, error) {
	people, err := os.ReadFile(peopleScenario)
	if err != nil {
		return nil, err
	}
	a, replace, stop, err := s.startTrunk(ctx, n, sipptest.RefusingScenario(answer))
	if err != nil {
		return nil, err
	}
	defer stop()
	if err := s.bookCalls(ctx, a, jsonObject{"max_attempts": 1}, talks); err != nil {
		return nil, err
	}
	trials, err := s.awaitTrials(ctx, n)
	if err != nil {
		return nil, err
	}
	before, err := listAll(ctx, a, "/api/v1/calls", "id")
	if err != nil {
		return nil, err
	}
	health, err := a.requestJSON(ctx, http.MethodGet, "/health", nil)
	if err != nil {
		return nil, err
	}
	doctor, _, _ := a.runCommand(ctx, "doctor", "--cache", a.cache, "--listen", "127.0.0.1:0")
	named := strings.Contains(string(health.raw), "calls wait for the SIP trunk") &&
		strings.Contains(doctor, "refuses calls with "+answer)
	if err := replace(string(people)); err != nil {
		return nil, err
	}
	after, err := awaitEnded(ctx, a)
	if err != nil {
		return nil, err
	}
	r := s.w.judgeRefusedCalls(answer, before, after, named)
	r.Trials = trials
	printLine(s.out, "refusing trunk: %+v", *r)
	return r, nil
}

// awaitTrials waits until a refusing trunk was tried with two single calls.
func (s *trunkSoak) awaitTrials(ctx context.Context, n int) (trials int, err error) {
	for deadline := time.Now().Add(settling); ; sleepContext(ctx, 100*time.Millisecond) {
		text, err := os.ReadFile(filepath.Join(s.folderOf(n), "munadi.log"))
		if err != nil {
			return 0, err
		}
		if trials = strings.Count(string(text), "the SIP trunk refuses calls") - 1; trials > 1 {
			return trials, nil
		}
		if ctx.Err() != nil || time.Now().After(deadline) {
			return trials, errors.New("the trunk is not tried with single calls")
		}
	}
}

// awaitEnded returns all calls once each has ended and been notified; or when none did for some time.
func awaitEnded(ctx context.Context, a apiClient) (calls map[string]jsonObject, err error) {
	most := -1
	for deadline := time.Now().Add(settling); ; sleepContext(ctx, time.Second) {
		if calls, err = listAll(ctx, a, "/api/v1/calls", "id"); err != nil || ctx.Err() != nil {
			return nil, errors.Join(err, ctx.Err())
		}
		ended := 0
		for _, c := range calls {
			if c.textAt("ended_at") != "" && isAtRest(c) {
				ended++
			}
		}
		if ended > most {
			most, deadline = ended, time.Now().Add(settling)
		}
		if ended == len(calls) || time.Now().After(deadline) {
			return calls, nil
		}
	}
}

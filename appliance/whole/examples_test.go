package whole_test

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"munadi/store/freeport"
)

// TestExamples runs the examples of the README: a receiver, and a call from the key to its recording.
func TestExamples(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"python3", "curl"} {
		if _, err := exec.LookPath(program); err != nil {
			skipOrFail(t, program+" is not installed")
		}
	}
	a := startFastCalls(t, instanceSettings{})
	port := freePort(t)
	var told bytes.Buffer
	receiver := exec.CommandContext(t.Context(), "python3", projectPath(t, "packaging/examples/receiver.py"), port)
	receiver.Stdout, receiver.Stderr = &told, &told
	receiver.WaitDelay = time.Second
	mustSucceed(t, receiver.Start())
	awaitPort(t, port)

	dir := t.TempDir()
	call := exec.CommandContext(t.Context(), "sh", projectPath(t, "packaging/examples/call.sh"))
	call.Dir = dir
	call.Env = append(os.Environ(), "KEY="+bootstrapKey, "MUNADI="+a.URL,
		"HOOK=http://127.0.0.1:"+port+"/hook/choose-a-secret-of-your-own")
	out, err := call.CombinedOutput()
	if err != nil {
		t.Fatalf("call.sh: %v\n%s", err, out)
	}
	booked := regexp.MustCompile(`booked (call_\S+)`).FindSubmatch(out)
	if booked == nil || !bytes.Contains(out, []byte("ended: completed")) {
		t.Fatalf("call.sh says\n%s", out)
	}
	id := string(booked[1])
	sound, err := os.ReadFile(filepath.Join(dir, id+".wav"))
	if err != nil || !bytes.HasPrefix(sound, []byte("RIFF")) {
		t.Errorf("the recording: %v, %d bytes", err, len(sound))
	}
	a.awaitCall(t, id, func(c jsonObject) bool { return c.textAt("webhook", "state") == "delivered" })
	mustSucceed(t, receiver.Process.Kill())
	_ = receiver.Wait() // it was killed
	if !strings.Contains(told.String(), id+" complete") {
		t.Errorf("the receiver says\n%s", &told)
	}
}

// TestReceiverTakesEveryEvent checks that the example of a receiver verifies, understands and prints events of every type.
func TestReceiverTakesEveryEvent(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("python3"); err != nil {
		skipOrFail(t, "python3 is not installed")
	}
	a := startFastCalls(t, instanceSettings{})
	port := freePort(t)
	types := []string{
		"call.booked", "call.dialing", "call.answered", "call.completed", "call.failed", "call.cancelled", "campaign.finished",
		"job.finished", "person.needs_staff",
	}
	to := a.requestAPI(t, http.MethodPost, "/destinations", jsonObject{
		"url": "http://127.0.0.1:" + port + "/hook/choose-a-secret-of-your-own", "events": types,
	}).wantStatus(t, http.StatusCreated).successData(t)
	receiver := exec.CommandContext(t.Context(), "python3", projectPath(t, "packaging/examples/receiver.py"), port)
	receiver.Env = append(os.Environ(), "SECRET="+to.textAt("secret"))
	said, err := receiver.StdoutPipe()
	mustSucceed(t, err)
	mustSucceed(t, receiver.Start())
	awaitPort(t, port)

	completed := a.bookCall(t, simulatedNumber("00"), "appointment_confirmation", nil).textAt("id")
	a.bookQuickCall(t)
	later := a.bookCall(t, simulatedNumber("01"), "appointment_confirmation", jsonObject{"scheduled_at": timeFromNow(time.Hour)})
	a.requestAPI(t, http.MethodPost, "/calls/"+later.textAt("id")+"/cancel", nil).wantStatus(t, http.StatusOK)
	a.requestAPI(t, http.MethodPost, "/campaigns", jsonObject{
		"name": "one", "scenario_id": "appointment_confirmation", "calls": []jsonObject{{"phone_number": simulatedNumber("94")}},
		"retry": jsonObject{"max_attempts": 1},
	}).wantStatus(t, http.StatusCreated)
	a.postForm(t, jobs, withFile(demoSample(t, "confirm.flac"))).wantStatus(t, http.StatusAccepted)
	a.awaitStatus(t, completed, "completed")
	a.requestAPI(t, http.MethodPost, "/calls/"+completed+"/needs_person", jsonObject{"action": "mark"}).wantStatus(t, http.StatusOK)

	missing := map[string]bool{}
	for _, one := range types {
		missing[one] = true
	}
	tooLong := time.AfterFunc(conversation, func() { _ = receiver.Process.Kill() })
	for lines := bufio.NewScanner(said); len(missing) > 0 && lines.Scan(); {
		line := regexp.MustCompile(`^evt_\S+ (\w+\.\w+) \S+ \w+$`).FindStringSubmatch(lines.Text())
		if line == nil {
			t.Fatalf("the receiver says %q", lines.Text())
		}
		delete(missing, line[1])
	}
	tooLong.Stop()
	_ = receiver.Process.Kill() // it may have been killed
	_ = receiver.Wait()
	if len(missing) > 0 {
		t.Errorf("no event of %v came", missing)
	}
}

// freePort returns a free port.
func freePort(t testing.TB) string {
	t.Helper()
	ports, err := freeport.FindPorts(1)
	mustSucceed(t, err)
	return strconv.Itoa(ports[0])
}

func awaitPort(t testing.TB, port string) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for {
		c, err := net.Dial("tcp", "127.0.0.1:"+port)
		if err == nil {
			_ = c.Close()
			return
		}
		if time.Now().After(deadline) {
			t.Fatal(fmt.Errorf("nothing listens on %s: %w", port, err))
		}
		time.Sleep(20 * time.Millisecond)
	}
}

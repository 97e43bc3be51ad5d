package whole_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"munadi/engine/audio"
)

// pulseServer is a sound server with one microphone, "room", which hears what is played.
type pulseServer struct {
	t   testing.TB
	env []string
}

func startPulse(t testing.TB) *pulseServer {
	t.Helper()
	for _, program := range []string{"pulseaudio", "pactl", "paplay"} {
		if _, err := exec.LookPath(program); err != nil {
			skipOrFail(t, program+" is not installed")
		}
	}
	dir, err := os.MkdirTemp("", "pulse") // socket paths have a short limit
	mustSucceed(t, err)
	socket := filepath.Join(dir, "native")
	p := &pulseServer{t: t, env: append(os.Environ(), "XDG_RUNTIME_DIR="+dir, "HOME="+dir, "PULSE_SERVER=unix:"+socket)}
	server := exec.Command("pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no",
		"--disable-shm=yes", "--load=module-native-protocol-unix auth-anonymous=1 socket="+socket,
		"--load=module-null-sink sink_name=speaker rate=16000 channels=1")
	server.Env = p.env
	mustSucceed(t, server.Start())
	t.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait()
		_ = os.RemoveAll(dir)
	})
	for until := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		if p.newCommand("pactl", "info").Run() == nil {
			break
		}
		if time.Now().After(until) {
			t.Fatal("PulseAudio does not answer")
		}
	}
	p.plugMicrophone()
	return p
}

func (p *pulseServer) newCommand(name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Env = p.env
	return c
}

func (p *pulseServer) runCommand(name string, args ...string) {
	p.t.Helper()
	if out, err := p.newCommand(name, args...).CombinedOutput(); err != nil {
		p.t.Fatalf("%s %v: %v %s", name, args, err, out)
	}
}

// plugMicrophone adds the microphone; unplug removes it.
func (p *pulseServer) plugMicrophone() {
	p.t.Helper()
	p.runCommand("pactl", "load-module", "module-remap-source", "master=speaker.monitor", "source_name=room",
		"source_properties=device.description=Room")
	p.runCommand("pactl", "set-default-source", "room")
}

func (p *pulseServer) unplugMicrophone() {
	p.t.Helper()
	p.runCommand("pactl", "unload-module", "module-remap-source")
}

// playRecording plays a bundled recording into the room in real time.
func (p *pulseServer) playRecording(name string) {
	p.t.Helper()
	samples, err := audio.DecodeAll(p.t.Context(), bytes.NewReader(demoSample(p.t, name)), audio.DecodeOptions{})
	mustSucceed(p.t, err)
	path := filepath.Join(p.t.TempDir(), "say.wav")
	f, err := os.Create(path)
	mustSucceed(p.t, err)
	mustSucceed(p.t, audio.WriteWAV(f, samples, audio.Rate))
	mustSucceed(p.t, f.Close())
	p.runCommand("paplay", path)
}

// microphoneRun is a running munadi mic.
type microphoneRun struct {
	events chan map[string]any
	notes  *stderrLog
	cmd    *exec.Cmd
}

// stderrLog collects standard error.
type stderrLog struct {
	mu sync.Mutex
	b  strings.Builder
}

func (n *stderrLog) Write(p []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.b.Write(p)
}

func (n *stderrLog) awaitText(t testing.TB, part string) {
	t.Helper()
	for until := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		n.mu.Lock()
		said := n.b.String()
		n.mu.Unlock()
		if strings.Contains(said, part) {
			return
		}
		if time.Now().After(until) {
			t.Fatalf("it never said %q: %s", part, said)
		}
	}
}

func (p *pulseServer) startMicrophone(args ...string) *microphoneRun {
	p.t.Helper()
	m := &microphoneRun{events: make(chan map[string]any, 1000), notes: &stderrLog{}}
	m.cmd = p.newCommand(builtBinary(p.t), append([]string{"mic", "--format", "json", "--cache", cacheDir()}, args...)...)
	out, err := m.cmd.StdoutPipe()
	mustSucceed(p.t, err)
	m.cmd.Stderr = m.notes
	mustSucceed(p.t, m.cmd.Start())
	go func() {
		defer close(m.events)
		for d := json.NewDecoder(out); ; {
			var e map[string]any
			if d.Decode(&e) != nil {
				_, _ = io.Copy(io.Discard, out)
				return
			}
			m.events <- e
		}
	}()
	p.t.Cleanup(func() { _ = m.cmd.Process.Kill(); _ = m.cmd.Wait() })
	m.notes.awaitText(p.t, "listening")
	return m
}

// awaitWord waits for a final text with the word, and returns the number of partial texts before the first final one.
func (m *microphoneRun) awaitWord(t testing.TB, word string) (partials int) {
	t.Helper()
	deadline := time.After(patience)
	for {
		select {
		case e := <-m.events:
			if e["type"] == "partial" {
				partials++
				continue
			}
			if text, _ := e["text"].(string); strings.Contains(text, word) {
				return partials
			}
		case <-deadline:
			t.Fatalf("%q was not recognized", word)
		}
	}
}

// TestMicrophone checks that munadi mic transcribes speech, continues after the microphone was unplugged, and ends
// properly.
func TestMicrophone(t *testing.T) {
	t.Parallel()
	takeSoundSlot(t)
	p := startPulse(t)
	list := p.newCommand(builtBinary(t), "mic", "--list")
	out, err := list.Output()
	mustSucceed(t, err)
	if !strings.Contains(string(out), "* Room\n") {
		t.Errorf("--list shows %q", out)
	}
	m := p.startMicrophone("--device", "room")
	p.playRecording("order.flac")
	if m.awaitWord(t, "السلام") == 0 {
		t.Error("there was no text before the final one")
	}
	p.unplugMicrophone()
	m.notes.awaitText(t, "stopped delivering audio")
	p.plugMicrophone()
	m.notes.awaitText(t, "the microphone is back")
	p.playRecording("confirm.flac")
	p.playRecording("order.flac")
	m.awaitWord(t, "السلام")
	mustSucceed(t, m.cmd.Process.Signal(os.Interrupt))
	for range m.events {
	}
	if err := m.cmd.Wait(); err != nil {
		t.Errorf("ended with %v", err)
	}
}

// TestNoMicrophone checks that a machine without sound gets one clear message.
func TestNoMicrophone(t *testing.T) {
	t.Parallel()
	cmd := exec.Command(builtBinary(t), "mic", "--device", "no such device", "--cache", cacheDir())
	cmd.Env = append(os.Environ(), "PULSE_SERVER=unix:/nowhere", "XDG_RUNTIME_DIR="+t.TempDir(), "HOME="+t.TempDir())
	out, err := cmd.CombinedOutput()
	if err == nil || strings.Contains(string(out), "panic") || strings.Count(string(out), "munadi: ") != 1 {
		t.Errorf("%v: %s", err, out)
	}
}

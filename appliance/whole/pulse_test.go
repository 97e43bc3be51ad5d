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

// pulse is a sound server of the test's own with one microphone, "room", which hears what is played.
type pulse struct {
	t   testing.TB
	env []string
}

func startPulse(t testing.TB) *pulse {
	t.Helper()
	for _, program := range []string{"pulseaudio", "pactl", "paplay"} {
		if _, err := exec.LookPath(program); err != nil {
			missing(t, program+" is not installed")
		}
	}
	dir, err := os.MkdirTemp("", "pulse") // a socket's path must be short
	must(t, err)
	socket := filepath.Join(dir, "native")
	p := &pulse{t: t, env: append(os.Environ(), "XDG_RUNTIME_DIR="+dir, "HOME="+dir, "PULSE_SERVER=unix:"+socket)}
	server := exec.Command("pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no",
		"--disable-shm=yes", "--load=module-native-protocol-unix auth-anonymous=1 socket="+socket,
		"--load=module-null-sink sink_name=speaker rate=16000 channels=1")
	server.Env = p.env
	must(t, server.Start())
	t.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait()
		_ = os.RemoveAll(dir)
	})
	for until := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		if p.command("pactl", "info").Run() == nil {
			break
		}
		if time.Now().After(until) {
			t.Fatal("PulseAudio does not answer")
		}
	}
	p.plug()
	return p
}

func (p *pulse) command(name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Env = p.env
	return c
}

func (p *pulse) run(name string, args ...string) {
	p.t.Helper()
	if out, err := p.command(name, args...).CombinedOutput(); err != nil {
		p.t.Fatalf("%s %v: %v %s", name, args, err, out)
	}
}

// plug brings the microphone, unplug takes it away.
func (p *pulse) plug() {
	p.t.Helper()
	p.run("pactl", "load-module", "module-remap-source", "master=speaker.monitor", "source_name=room",
		"source_properties=device.description=Room")
	p.run("pactl", "set-default-source", "room")
}

func (p *pulse) unplug() { p.t.Helper(); p.run("pactl", "unload-module", "module-remap-source") }

// play says a bundled recording to the room, in its own time.
func (p *pulse) play(name string) {
	p.t.Helper()
	samples, err := audio.DecodeAll(p.t.Context(), bytes.NewReader(sample(p.t, name)), audio.DecodeOptions{})
	must(p.t, err)
	path := filepath.Join(p.t.TempDir(), "say.wav")
	f, err := os.Create(path)
	must(p.t, err)
	must(p.t, audio.WriteWAV(f, samples, audio.Rate))
	must(p.t, f.Close())
	p.run("paplay", path)
}

// microphone is a running munadi mic.
type microphone struct {
	events chan map[string]any
	notes  *notes
	cmd    *exec.Cmd
}

// notes is what was said on standard error.
type notes struct {
	mu sync.Mutex
	b  strings.Builder
}

func (n *notes) Write(p []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.b.Write(p)
}

func (n *notes) await(t testing.TB, part string) {
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

func (p *pulse) listen(args ...string) *microphone {
	p.t.Helper()
	m := &microphone{events: make(chan map[string]any, 1000), notes: &notes{}}
	m.cmd = p.command(binary(p.t), append([]string{"mic", "--format", "json", "--cache", cacheDir()}, args...)...)
	out, err := m.cmd.StdoutPipe()
	must(p.t, err)
	m.cmd.Stderr = m.notes
	must(p.t, m.cmd.Start())
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
	m.notes.await(p.t, "listening")
	return m
}

// heard waits for a final text that has the word, and says how many texts came before one was final.
func (m *microphone) heard(t testing.TB, word string) (partials int) {
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
			t.Fatalf("nobody heard %q", word)
		}
	}
}

// TestMicrophone: munadi mic writes down what is said, outlives a microphone that is unplugged, and ends well.
func TestMicrophone(t *testing.T) {
	t.Parallel()
	p := startPulse(t)
	list := p.command(binary(t), "mic", "--list")
	out, err := list.Output()
	must(t, err)
	if !strings.Contains(string(out), "* Room\n") {
		t.Errorf("--list shows %q", out)
	}
	m := p.listen("--device", "room")
	p.play("order.flac")
	if m.heard(t, "السلام") == 0 {
		t.Error("there was no text before the final one")
	}
	p.unplug()
	m.notes.await(t, "the microphone is gone")
	p.plug()
	m.notes.await(t, "is back")
	p.play("confirm.flac")
	p.play("order.flac")
	m.heard(t, "السلام")
	must(t, m.cmd.Process.Signal(os.Interrupt))
	for range m.events {
	}
	if err := m.cmd.Wait(); err != nil {
		t.Errorf("ended with %v", err)
	}
}

// TestNoMicrophone: a machine without sound gets one clear line, and is not told that somebody listens.
func TestNoMicrophone(t *testing.T) {
	t.Parallel()
	cmd := exec.Command(binary(t), "mic", "--device", "no such device", "--cache", cacheDir())
	cmd.Env = append(os.Environ(), "PULSE_SERVER=unix:/nowhere", "XDG_RUNTIME_DIR="+t.TempDir(), "HOME="+t.TempDir())
	out, err := cmd.CombinedOutput()
	if err == nil || strings.Contains(string(out), "panic") || strings.Count(string(out), "munadi: ") != 1 {
		t.Errorf("%v: %s", err, out)
	}
}

package whole_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"munadi/appliance/demo/browsertest"
)

const livePassword = "the first night shift"

// signedIn opens the console at a path, as user admin.
func signedIn(t *testing.T, b *browsertest.TestBrowser, a *testInstance, path string) *browsertest.BrowserPage {
	t.Helper()
	p := b.OpenPage(t, a.URL+"/console/sign-in?lang=en", browsertest.PageView{})
	p.TypeText("input[name=name]", "admin")
	p.TypeText("input[name=password]", livePassword)
	p.PressKeys(kb.Enter)
	p.WaitFor(`!location.pathname.endsWith("/sign-in")`)
	p.NavigateTo(a.URL + path)
	return p
}

// TestLiveBrowserMicrophone checks that speech into the browser's microphone is shown live and recorded, and that the
// session can be searched, played, downloaded and deleted.
func TestLiveBrowserMicrophone(t *testing.T) {
	t.Parallel()
	takeSoundSlot(t)
	said := append(append(silentSeconds(2), recordingSamples(t, demoSample(t, "order.flac"))...), silentSeconds(60)...)
	recording := filepath.Join(t.TempDir(), "said.wav")
	mustSucceed(t, os.WriteFile(recording, encodeWAV(t, said), 0o600))
	b := browsertest.StartBrowser(t, browsertest.BrowserOptions{Microphone: recording})
	a := startInstance(t, instanceSettings{env: []string{"MUNADI_BOOTSTRAP_ADMIN_PASSWORD=" + livePassword}})
	p := signedIn(t, b, a, "/console/live")
	p.CheckAccessibility()
	p.ClickElement("#live-button")
	p.WaitFor(`document.querySelector("#live-text .partial") !== null`)
	p.WaitFor(`Number(getComputedStyle(document.querySelector("#live-stage")).getPropertyValue("--level")) > 0.3`)
	p.WaitText("#live-text", "السلام")
	p.WaitText("#live-text", "الملك")
	p.ClickElement("#live-button")
	p.WaitVisible("#live-state a")
	p.ClickElement("#live-state a")
	p.WaitVisible("#live-lines")
	p.CheckAccessibility()
	record := browsertest.EvalExpression[string](p, `location.pathname`)
	p.WaitFor(`document.querySelector("#live-sound").duration > 5`)
	p.ClickElement(".live-line")
	p.WaitFor(`document.querySelector("#live-sound").currentTime > 0.5`)
	for format, want := range map[string]string{
		"txt": "السلام", "srt": " --> ", "vtt": "WEBVTT", "json": `"confidence"`,
	} {
		got := browsertest.EvalExpression[string](p, `fetch(location.pathname + "/transcript/`+format+`").then((r) => r.text())`)
		if !strings.Contains(got, want) || !strings.Contains(got, "السلام") {
			t.Errorf("%s: %.200s", format, got)
		}
	}
	p.NavigateTo(a.URL + "/console/live?q=" + "السَّلام")
	p.WaitVisible(`a[href="` + record + `"]`)
	p.NavigateTo(a.URL + "/console/live?q=no-such-word&lang=ar")
	p.WaitHidden(`a[href="` + record + `"]`)
	p.CheckAccessibility()
	p.NavigateTo(a.URL + record + "/delete")
	p.CheckAccessibility()
	p.ClickElement("form.confirm button[type=submit]")
	p.WaitFor(`location.pathname === "/console/live"`)
	p.WaitHidden(`a[href="` + record + `"]`)
	if left, _ := filepath.Glob(filepath.Join(a.Data, "live/*/*.wav")); len(left) != 0 {
		t.Errorf("the sound of a deleted session is left: %v", left)
	}
}

// TestLiveBrowserMicrophoneUnplugged checks that a microphone that disappears ends the session, which keeps its
// transcript and says so.
func TestLiveBrowserMicrophoneUnplugged(t *testing.T) {
	t.Parallel()
	takeSoundSlot(t)
	said := append(append(silentSeconds(1), recordingSamples(t, demoSample(t, "order.flac"))...), silentSeconds(60)...)
	recording := filepath.Join(t.TempDir(), "said.wav")
	mustSucceed(t, os.WriteFile(recording, encodeWAV(t, said), 0o600))
	b := browsertest.StartBrowser(t, browsertest.BrowserOptions{Microphone: recording})
	a := startInstance(t, instanceSettings{env: []string{"MUNADI_BOOTSTRAP_ADMIN_PASSWORD=" + livePassword}})
	p := signedIn(t, b, a, "/console/live")
	p.RunScript(`(() => {
		const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
		navigator.mediaDevices.getUserMedia = async (wish) => (window.room = await open(wish));
	})()`)
	p.ClickElement("#live-button")
	p.WaitText("#live-text", "عليكم") // the word before it has been heard to its end, so that the final text has it
	p.RunScript(`window.room.getTracks()[0].dispatchEvent(new Event("ended"))`)
	p.WaitText("#live-state", "The microphone was disconnected.")
	p.WaitText("#live-label", "Start speaking")
	p.ClickElement("#live-state a")
	p.WaitText("#live-lines", "السلام")
}

// TestLiveServerMicrophone checks that speech into the machine's microphone is shown live to several viewers and
// recorded.
func TestLiveServerMicrophone(t *testing.T) {
	t.Parallel()
	takeSoundSlot(t)
	b := browsertest.StartBrowser(t, browsertest.BrowserOptions{})
	room := startPulse(t)
	env := []string{"MUNADI_BOOTSTRAP_ADMIN_PASSWORD=" + livePassword}
	for _, v := range room.env {
		if strings.HasPrefix(v, "PULSE_SERVER=") || strings.HasPrefix(v, "XDG_RUNTIME_DIR=") {
			env = append(env, v)
		}
	}
	a := startInstance(t, instanceSettings{env: env})
	p := signedIn(t, b, a, "/console/live")
	p.RunScript(`document.querySelector("#device").value = "Room"`)
	p.ClickElement("form.live-start button")
	p.WaitVisible("#live-watch")
	p.CheckAccessibility()
	beside := signedIn(t, b, a, browsertest.EvalExpression[string](p, `location.pathname`))
	beside.WaitVisible("#live-watch")
	room.playRecording("order.flac")
	for _, viewer := range []*browsertest.BrowserPage{p, beside} {
		viewer.WaitText("#live-text", "السلام")
	}
	room.unplugMicrophone()
	p.WaitText("#live-state", "disconnected")
	room.plugMicrophone()
	p.WaitText("#live-state", "Listening")
	late := signedIn(t, b, a, browsertest.EvalExpression[string](p, `location.pathname`))
	late.WaitText("#live-text", "السلام")
	p.ClickElement("form[action*='/live/'][action$='/stop'] button")
	p.WaitVisible(".audio-bar")
	beside.WaitVisible(".audio-bar") // the other page got the end too
	p.WaitText("#live-lines", "السلام")
}

// TestLiveBrowserLatency checks that the page offers the latencies of a streaming model and the session uses the
// selected one. The model is untrained, so its transcript has no meaning.
func TestLiveBrowserLatency(t *testing.T) {
	t.Parallel()
	takeSoundSlot(t)
	data, recording := filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "said.wav")
	mustSucceed(t, os.WriteFile(recording, encodeWAV(t, append(recordingSamples(t, demoSample(t, "order.flac")), silentSeconds(60)...)), 0o600))
	checkpoint := projectPath(t, "engine/model/testdata/checkpoints/cached.nemo")
	runModelCommand(t, data, "import", "--any-language", checkpoint).wantOutput(t, "import", "latency 240 ms", "from the next start")
	b := browsertest.StartBrowser(t, browsertest.BrowserOptions{Microphone: recording})
	a := startInstance(t, instanceSettings{data: data, env: []string{"MUNADI_BOOTSTRAP_ADMIN_PASSWORD=" + livePassword}})
	p := signedIn(t, b, a, "/console/live")
	p.CheckAccessibility()
	offered := browsertest.EvalExpression[string](p,
		`[...document.querySelector("#live-latency").options].map((o) => o.value + (o.selected ? "*" : "")).join(" ")`)
	if want := "240* 480 160 80"; offered != want {
		t.Fatalf("offered are %q, want %q", offered, want)
	}
	p.RunScript(`(() => {
		const Socket = window.WebSocket;
		window.settled = [];
		window.WebSocket = class extends Socket {
			constructor(...given) {
				super(...given);
				this.addEventListener("message", (m) => {
					const event = JSON.parse(m.data);
					if (event.type === "session.updated") window.settled.push(event.session.audio.input.transcription.latency_ms);
				});
			}
		};
		document.querySelector("#live-latency").value = "80";
	})()`)
	p.ClickElement("#live-button")
	p.WaitFor(`window.settled.length === 1 && window.settled[0] === 80`)
	p.WaitFor(`Number(getComputedStyle(document.querySelector("#live-stage")).getPropertyValue("--level")) > 0.3`)
	p.ClickElement("#live-button")
	p.WaitVisible("#live-state a")
}

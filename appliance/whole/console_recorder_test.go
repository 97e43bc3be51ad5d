package whole_test

import (
	"bytes"
	endian "encoding/binary"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"munadi/appliance/demo/browsertest"
	"munadi/engine/audio"
)

// hum is the frequency in Hz of the fake microphone's tone.
const hum = 700

// humFile writes a WAV file with six seconds of the tone.
func humFile(t *testing.T) string {
	t.Helper()
	samples := make([]float32, 6*48000)
	for i := range samples {
		samples[i] = float32(0.3 * math.Sin(2*math.Pi*hum*float64(i)/48000))
	}
	var b bytes.Buffer
	mustSucceed(t, audio.WriteWAV(&b, samples, 48000))
	path := filepath.Join(t.TempDir(), "hum.wav")
	mustSucceed(t, os.WriteFile(path, b.Bytes(), 0o600))
	return path
}

// recordFirstLine records the editor's first line with the microphone, plays it and keeps it. Unsaved texts of the form
// stay.
func recordFirstLine(t *testing.T, a *testInstance, p *browsertest.BrowserPage, press func(css string)) {
	t.Helper()
	press(`[value="record:steps.0.say.0"]`)
	p.WaitVisible("[data-recorder] [data-toggle]")
	p.ClickElement("[data-recorder] [data-toggle]")
	p.WaitText("[data-recorder] [data-label]", "Stop recording")
	p.WaitFor(`document.querySelector("[data-recorder] meter").value > 0.3`)
	p.WaitText("[data-recorder] [data-timer]", "0:02")
	p.CheckAccessibility()
	if shots := os.Getenv("MUNADI_LOOK"); shots != "" {
		lookAtEditor(t, a, p, "recording", shots)
	}
	p.ClickElement("[data-recorder] [data-toggle]")
	p.WaitText("[data-recorder] [data-state]", "then keep it")
	p.WaitText("[data-recorder] [data-label]", "Record again")
	p.ClickElement("[data-recorder] [data-listen]")
	p.CheckAccessibility()
	if shots := os.Getenv("MUNADI_LOOK"); shots != "" {
		lookAtEditor(t, a, p, "recorded", shots)
	}
	press(`[value="record-keep:steps.0.say.0"]`)
	p.WaitText(".flash:not(.alert-banner)", "The recording is saved")
	p.WaitText("#card-0 .voice.is-recorded", "Recorded by you")
	p.CheckAccessibility()
}

// checkHummed calls with a scenario and expects the recorded line in the platform's audio.
func checkHummed(t *testing.T, a *testInstance, scenario string) {
	t.Helper()
	c := a.awaitEnded(t, a.bookCall(t, simulatedNumber("00"), scenario, nil).textAt("id"))
	if heard := countHummed(t, a, c); heard < 10 {
		t.Errorf("the recorded line is heard for %d00 ms", heard)
	}
}

// countHummed counts the windows of 100 ms with the tone in the platform's channel of a call's recording.
func countHummed(t *testing.T, a *testInstance, c jsonObject) (heard int) {
	t.Helper()
	_, sound := checkPlayable(t, a, c)
	rate := int(endian.LittleEndian.Uint32(sound[24:]))
	var right []float64
	for at := 44; at+4 <= len(sound); at += 4 {
		right = append(right, float64(int16(endian.LittleEndian.Uint16(sound[at+2:]))))
	}
	for at := 0; at+rate/10 <= len(right); at += rate / 10 {
		if shareAt(right[at:at+rate/10], hum, float64(rate)) > 0.8 {
			heard++
		}
	}
	return heard
}

// shareAt returns the share of a signal's power at a frequency (Goertzel).
func shareAt(samples []float64, hz, rate float64) float64 {
	re, im, power := 0.0, 0.0, 1.0
	for i, x := range samples {
		w := 2 * math.Pi * hz * float64(i) / rate
		re, im, power = re+x*math.Cos(w), im+x*math.Sin(w), power+x*x
	}
	return 2 * (re*re + im*im) / (power * float64(len(samples)))
}

// checkNoMicrophone opens the recorder without permission for the microphone: the page explains what to do, and an
// uploaded file is kept.
func checkNoMicrophone(t *testing.T, a *testInstance) {
	t.Helper()
	elsewhere := *a
	elsewhere.URL = strings.Replace(a.URL, "127.0.0.1", "munadi.test", 1)
	browser := browsertest.StartBrowser(t, browsertest.BrowserOptions{Hosts: []string{"munadi.test"}, DenyMicrophone: true})
	open := func(at *testInstance, says string) *browsertest.BrowserPage {
		p := signIn(t, browser, at, "ar", browsertest.PageView{Width: 360, Height: 800})
		p.ExpectText("Cross-Origin-Opener-Policy")
		p.NavigateTo(at.URL + "/console/scenarios/visit/edit")
		p.RunScript(`document.querySelector('[value="record:steps.0.say.0"]').click()`)
		p.WaitVisible("[data-recorder]")
		if at == a {
			p.WaitVisible("[data-toggle]")
			p.ClickElement("[data-toggle]")
		}
		p.WaitText("[data-recorder] [data-state]", says)
		p.CheckAccessibility()
		if shots := os.Getenv("MUNADI_LOOK"); shots != "" {
			lookAtEditor(t, at, p, "no-microphone-"+at.URL[7:10], shots)
		}
		return p
	}
	open(a, "اسمح به لهذه الصفحة")
	p := open(&elsewhere, "https")
	p.UploadFiles("#recording-file", humFile(t))
	p.RunScript(`document.querySelector('[value="record-keep:steps.0.say.0"]').click()`)
	p.WaitText(".flash:not(.alert-banner)", "حُفظ التسجيل")
}

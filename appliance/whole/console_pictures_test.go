package whole_test

import (
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"testing"
	"time"

	"munadi/appliance/demo/browsertest"
)

// mostPicture is the largest size of a picture of the README, in bytes.
const mostPicture = 200 << 10

// TestPictures makes the README's pictures of the console, in the folder MUNADI_PICTURES.
func TestPictures(t *testing.T) {
	folder := os.Getenv("MUNADI_PICTURES")
	if folder == "" {
		t.Skip("MUNADI_PICTURES names no folder")
	}
	said := append(append(silentSeconds(2), recordingSamples(t, demoSample(t, "order.flac"))...), silentSeconds(60)...)
	recording := filepath.Join(t.TempDir(), "said.wav")
	mustSucceed(t, os.WriteFile(recording, encodeWAV(t, said), 0o600))
	a := startBusyDay(t)
	browser := browsertest.StartBrowser(t, browsertest.BrowserOptions{Microphone: recording})
	desk, night := browsertest.PageView{Width: 1440, Height: 900}, browsertest.PageView{Width: 1440, Height: 900, Dark: true}
	phone := browsertest.PageView{Width: 360, Height: 740, Dark: true}

	p := signIn(t, browser, a, "ar", desk)
	p.NavigateTo(a.URL + "/console")
	writePicture(t, p, filepath.Join(folder, "console-today-ar-light-1440.png"))

	id := a.bookCall(t, simulatedNumber("07"), "restaurant_order", nil).textAt("id")
	a.awaitEnded(t, id)
	p.SetView(night)
	p.NavigateTo(a.URL + "/console/calls/" + id + "?lang=en")
	p.WaitVisible("svg#wave")
	writePicture(t, p, filepath.Join(folder, "console-call-en-dark-1440.png"))

	p.SetView(desk)
	p.NavigateTo(a.URL + "/console/workbench?sample=order")
	writePicture(t, p, filepath.Join(folder, "console-workbench-en-light-1440.png"))

	p.SetView(phone)
	p.NavigateTo(a.URL + "/console/live?lang=ar")
	p.ClickElement("#live-button")
	p.WaitText("#live-text", "شارع")
	writePicture(t, p, filepath.Join(folder, "console-live-ar-dark-360.png"))
}

// startBusyDay starts an appliance with ended and scheduled calls.
func startBusyDay(t *testing.T) *testInstance {
	t.Helper()
	a := startWithOperator(t)
	var last string
	for n := range 40 {
		more := jsonObject{"variables": jsonObject{"name": "سارة", "date": "2026-12-03", "time": "17:30"}}
		if n%4 == 3 {
			more["scheduled_at"] = timeFromNow(time.Duration(n) * 20 * time.Minute)
		}
		ending := []string{"07", "21", "35", "48", "52", "90", "12", "91", "93", "95"}[n%10]
		id := a.bookCall(t, fmt.Sprintf("+96650%05d%s", 12000+n*37, ending), "appointment_confirmation", more).textAt("id")
		if n%4 != 3 {
			last = id
		}
	}
	a.awaitEnded(t, last)
	return a
}

// writePicture saves the viewport as a losslessly compressed PNG.
func writePicture(t *testing.T, p *browsertest.BrowserPage, file string) {
	t.Helper()
	p.WaitFor(`document.fonts.status === "loaded"`)
	p.SaveViewport(file)
	in, err := os.Open(file)
	mustSucceed(t, err)
	shown, err := png.Decode(in)
	mustSucceed(t, err)
	mustSucceed(t, in.Close())
	out, err := os.Create(file)
	mustSucceed(t, err)
	mustSucceed(t, (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(out, shown))
	mustSucceed(t, out.Close())
	if info, err := os.Stat(file); err != nil || info.Size() > mostPicture {
		t.Errorf("%s is too large: %v %v", file, info.Size(), err)
	}
}

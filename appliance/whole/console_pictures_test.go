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

// mostPicture is how large a picture of the README may be, in bytes.
const mostPicture = 200 << 10

// TestPictures makes the README's pictures of the console, in the folder that MUNADI_PICTURES names.
func TestPictures(t *testing.T) {
	folder := os.Getenv("MUNADI_PICTURES")
	if folder == "" {
		t.Skip("MUNADI_PICTURES names no folder")
	}
	said := append(append(silence(2), samples(t, sample(t, "order.flac"))...), silence(60)...)
	recording := filepath.Join(t.TempDir(), "said.wav")
	must(t, os.WriteFile(recording, wav(t, said), 0o600))
	a := busy(t)
	browser := browsertest.StartBrowser(t, browsertest.BrowserOptions{Microphone: recording})
	desk, night := browsertest.PageView{Width: 1440, Height: 900}, browsertest.PageView{Width: 1440, Height: 900, Dark: true}
	phone := browsertest.PageView{Width: 360, Height: 740, Dark: true}

	p := signIn(t, browser, a, "ar", desk)
	p.NavigateTo(a.URL + "/console")
	picture(t, p, filepath.Join(folder, "console-today-ar-light-1440.png"))

	id := a.book(t, simulated("07"), "restaurant_order", nil).text("id")
	a.ended(t, id)
	p.SetView(night)
	p.NavigateTo(a.URL + "/console/calls/" + id + "?lang=en")
	p.WaitVisible("svg#wave")
	picture(t, p, filepath.Join(folder, "console-call-en-dark-1440.png"))

	p.SetView(desk)
	p.NavigateTo(a.URL + "/console/workbench?sample=order")
	picture(t, p, filepath.Join(folder, "console-workbench-en-light-1440.png"))

	p.SetView(phone)
	p.NavigateTo(a.URL + "/console/live?lang=ar")
	p.ClickElement("#live-button")
	p.WaitText("#live-text", "شارع")
	picture(t, p, filepath.Join(folder, "console-live-ar-dark-360.png"))
}

// busy is an appliance with a day's calls behind it and before it.
func busy(t *testing.T) *instance {
	t.Helper()
	a := operated(t)
	var last string
	for n := range 40 {
		more := object{"variables": object{"name": "سارة", "date": "2026-12-03", "time": "17:30"}}
		if n%4 == 3 {
			more["scheduled_at"] = soon(time.Duration(n) * 20 * time.Minute)
		}
		ending := []string{"07", "21", "35", "48", "52", "90", "12", "91", "93", "95"}[n%10]
		id := a.book(t, fmt.Sprintf("+96650%05d%s", 12000+n*37, ending), "appointment_confirmation", more).text("id")
		if n%4 != 3 {
			last = id
		}
	}
	a.ended(t, last)
	return a
}

// picture writes what is in the window, as small as it gets without loss.
func picture(t *testing.T, p *browsertest.BrowserPage, file string) {
	t.Helper()
	p.WaitFor(`document.fonts.status === "loaded"`)
	p.SaveViewport(file)
	in, err := os.Open(file)
	must(t, err)
	shown, err := png.Decode(in)
	must(t, err)
	must(t, in.Close())
	out, err := os.Create(file)
	must(t, err)
	must(t, (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(out, shown))
	must(t, out.Close())
	if info, err := os.Stat(file); err != nil || info.Size() > mostPicture {
		t.Errorf("%s is too large: %v %v", file, info.Size(), err)
	}
}

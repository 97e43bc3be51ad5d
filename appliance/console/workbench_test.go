package console_test

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"io/fs"
	"net/url"
	"strings"
	"testing"
	"time"

	"munadi/appliance/console"
	"munadi/appliance/recognizer"
	"munadi/assets/web"
	"munadi/engine"
	"munadi/engine/audio"
	"munadi/store/account"
)

// fakeDecoder reads the audio to its end and returns a fixed result.
type fakeDecoder struct {
	params []engine.DebugParams
	fail   error
}

func (d *fakeDecoder) DebugDecode(_ context.Context, src engine.SampleSource, p engine.DebugParams) (*engine.DebugResult, error) {
	d.params = append(d.params, p)
	buffer, n := make([]float32, 4096), 0
	for {
		k, err := src.Read(buffer)
		if n += k; errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	if d.fail != nil {
		return nil, d.fail
	}
	rnnt := engine.HeadResult{
		Text: "نعم أؤكد", Score: -0.5, Tokens: []string{"▁نعم", "▁أؤ", "كد"}, Timestamps: []float64{0.4, 0.8, 0.88},
	}
	return &engine.DebugResult{
		Mode: p.Mode, Text: "نعم أؤكد", Duration: float64(n) / audio.Rate, Warnings: []string{"careful <now>"},
		Segments: []engine.DebugSegment{{
			Start: 0.2, End: 1.4, Text: "نعم أؤكد", RNNT: rnnt, CTC: engine.HeadResult{},
			Hybrid:  engine.HybridPick{Text: "نعم أؤكد", Score: -0.5, Picked: "rnnt"},
			Spotted: []engine.SpottedPhrase{{Phrase: "أؤكد", Start: 0.8, End: 1.2, Score: 4}},
		}},
	}, nil
}

func newWorkbench(t *testing.T) (*consoleBench, *fakeDecoder) {
	t.Helper()
	d := &fakeDecoder{}
	return newBench(t, func(deps *console.Dependencies) {
		deps.Workbench.Decoder, deps.Workbench.Samples, deps.PublicURL = d, web.WebFiles(), func() string { return "http://munadi.test" }
		deps.Workbench.OpenSound = func(ctx context.Context, r io.ReadSeeker, longest time.Duration, channel audio.ChannelChoice) (recognizer.OpenedSound, error) {
			return audio.OpenStream(ctx, r, audio.DecodeOptions{MaxDuration: longest, FFmpeg: "none", Channel: channel})
		}
	}), d
}

// TestSampleIsDecoded checks that the URL's parameters are applied, the others are the decoder's defaults, and the
// chart shows the result.
func TestSampleIsDecoded(t *testing.T) {
	t.Parallel()
	b, d := newWorkbench(t)
	b.getPage(account.Viewer, "/workbench").wantStatus(200).wantTexts("Choose an audio file", "ctc_ws_context").wantNoTexts("<svg width", "Decode the file", "csrf\" value=\"csrf-viewer\"/><section")
	if len(d.params) != 0 {
		t.Fatal("decoded without being asked")
	}
	p := b.getPage(account.Viewer, "/workbench?sample=confirm&beam_enabled=true&beam_size=٨&ctc_ws_context=x_y&ctc_weight=").wantStatus(200)
	p.wantTexts("نعم أؤكد", "picked RNNT", "careful <now>", "0.80–1.20",
		"http://munadi.test/console/workbench?beam_enabled=true&beam_size=8&ctc_ws_context=x_y&sample=confirm",
		`data-player="listed"`, "js/console-players.js")
	want := engine.DebugDefaults().ResolveDefaults()
	size, phrases := 8, "x_y"
	want.BeamEnabled, want.BeamSize, want.CTCWSContext = true, &size, &phrases
	got := d.params[0].ResolveDefaults()
	if *got.BeamSize != 8 || !got.BeamEnabled || *got.CTCWSContext != "x_y" || got.CTCWeight != 0 || *got.Temperature != 1 || !*got.LoopLabels {
		t.Errorf("decoded with %+v", got)
	}
	checkChart(t, p.Body.String())
	b.getPage(account.Viewer, "/workbench?sample=../../etc/passwd").wantStatus(200).wantTexts("Choose an audio file")
}

// checkChart parses the chart as XML and expects its parts.
func checkChart(t *testing.T, body string) {
	t.Helper()
	_, after, found := strings.Cut(body, `<figure class="token-chart"`)
	_, after, _ = strings.Cut(after, "<svg")
	svg, _, closed := strings.Cut(after, "</svg>")
	if !found || !closed {
		t.Fatal("there is no picture")
	}
	count := map[string]int{}
	for d := xml.NewDecoder(strings.NewReader("<svg" + svg + "</svg>")); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if start, ok := token.(xml.StartElement); ok {
			for _, a := range start.Attr {
				if a.Name.Local == "class" {
					count[strings.Fields(a.Value)[0]]++
				}
			}
		}
	}
	for class, want := range map[string]int{
		"token-text": 6, "score-bar": 3, "bracket": 1, "wave": 1, "speech": 1, "row-name": 3,
	} {
		if count[class] != want {
			t.Errorf("%d of class %s, want %d", count[class], class, want)
		}
	}
}

func TestWorkbenchTakesFiles(t *testing.T) {
	t.Parallel()
	b, d := newWorkbench(t)
	file, err := fs.ReadFile(web.WebFiles(), "samples/time.flac")
	b.mustSucceed(err)
	fields := url.Values{"use": {"file"}, "sample": {"confirm"}, "mode": {"ctc"}, "ctc_ws_context": {"نعم\r\nلا"}}
	b.postFile(account.Operator, "/workbench", "a.flac", file, fields).wantStatus(200).wantTexts("نعم أؤكد").wantNoTexts("Link to this result", "<audio")
	if p := d.params[0]; p.Mode != engine.CTC || *p.CTCWSContext != "نعم\nلا" {
		t.Errorf("decoded with %+v", p)
	}
	b.postFile(account.Operator, "/workbench", "a.txt", []byte("no sound at all"), fields).wantStatus(422).wantTexts("can't be read as audio")
	b.postFile(account.Operator, "/workbench", "a.flac", nil, fields).wantStatus(422).wantTexts("Choose a file first")
	b.postFile(account.Viewer, "/workbench", "a.flac", file, fields).wantStatus(403)
	d.fail = &engine.ErrBusy{RetryAfter: time.Second}
	b.postFile(account.Operator, "/workbench", "a.flac", file, fields).wantStatus(503).wantTexts("The decoder is busy")
	b.postForm(account.Operator, "/workbench", url.Values{"use": {"sample"}, "sample": {"order"}, "vad_pad_ms": {"400"}, "mode": {"hybrid"}}).
		wantRedirect("/console/workbench?sample=order&vad_pad_ms=400")
}

// TestSearchOfTheWorkbench checks that a named search is applied, and that otherwise beam_enabled selects it.
func TestSearchOfTheWorkbench(t *testing.T) {
	t.Parallel()
	b, d := newWorkbench(t)
	b.getPage(account.Viewer, "/workbench?sample=confirm&beam_enabled=true&strategy=").wantStatus(200).
		wantTexts("as beam_enabled says", "workbench?beam_enabled=true&sample=confirm</code>")
	b.getPage(account.Viewer, "/workbench?sample=confirm&strategy=malsd_batch").wantStatus(200).wantTexts("&strategy=malsd_batch")
	if p := d.params[0]; p.Strategy != nil || !p.BeamEnabled {
		t.Errorf("no search is named: decoded with %+v", p)
	}
	if p := d.params[1]; p.Strategy == nil || *p.Strategy != "malsd_batch" {
		t.Errorf("malsd_batch is named: decoded with %+v", p)
	}
	b.getPage(account.Viewer, "/workbench?sample=confirm&strategy=widest").wantStatus(422).
		wantTexts("One of: greedy_batch, beam, maes, alsd, tsd, malsd_batch.")
}

// TestChannelOfTheWorkbench checks that one channel or the mix is decoded, and that a missing channel is reported.
func TestChannelOfTheWorkbench(t *testing.T) {
	t.Parallel()
	b, d := newWorkbench(t)
	b.getPage(account.Viewer, "/workbench?sample=confirm&channels=left").wantStatus(200).
		wantTexts(`value="left" selected`, "?channels=left&sample=confirm")
	b.getPage(account.Viewer, "/workbench?sample=confirm&channels=right").wantStatus(422).wantTexts("This recording has one channel")
	b.postForm(account.Operator, "/workbench", url.Values{"use": {"sample"}, "sample": {"order"}, "channels": {"left"}}).
		wantRedirect("/console/workbench?channels=left&sample=order")
	if len(d.params) != 1 {
		t.Errorf("%d sounds are decoded, want 1", len(d.params))
	}
}

// TestKnobsOutOfRange checks values just outside every range: nothing is decoded, and each is marked.
func TestKnobsOutOfRange(t *testing.T) {
	t.Parallel()
	b, d := newWorkbench(t)
	query := url.Values{"sample": {"confirm"}}
	for name, value := range map[string]string{
		"mode": "both", "strategy": "widest", "temperature": "0", "max_symbols_per_step": "1001", "beam_enabled": "2", "beam_size": "65",
		"beam_length_penalty": "-101", "beam_temperature": "11", "loop_labels": "maybe", "acoustic_scale": "-0.1",
		"ctc_weight": "NaN", "ctc_ws_beam_threshold": "-1", "ctc_ws_blank_threshold": "1.5", "max_chunk_seconds": "61",
		"vad_threshold": "1.1", "vad_max_speech_s": "0", "vad_pad_ms": "-1", "vad_min_silence_ms": "x",
	} {
		query.Set(name, value)
	}
	p := b.getPage(account.Viewer, "/workbench?"+query.Encode()).wantStatus(422).wantTexts("Nothing was decoded", "From 1 to 64.", `value="65"`)
	if n := strings.Count(p.Body.String(), `class="error"`); n != len(query)-1 {
		t.Errorf("%d of %d are marked", n, len(query)-1)
	}
	if len(d.params) != 0 {
		t.Error("decoded all the same")
	}
}

package console_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"munadi/appliance/console"
	"munadi/appliance/tts"
	"munadi/appliance/tts/voicepack"
	"munadi/assets/prompts"
	"munadi/engine/audio"
	"munadi/store/account"
)

// newRecordingBench is a bench with a recorder of lines.
func newRecordingBench(t *testing.T) *consoleBench {
	t.Helper()
	voice, err := voicepack.OpenPack(prompts.IndexText(), prompts.VoiceBytes(), prompts.WideVoiceBytes())
	if err != nil {
		t.Fatal(err)
	}
	b, _ := newSpeakerBench(t, func(d *console.Dependencies) {
		d.UseCases.Lines = tts.NewRecordings(t.TempDir(), voice)
	})
	return b
}

// soundFile is a WAV file with a tone; silence for loudness 0.
func soundFile(t *testing.T, seconds int, loudness float64) []byte {
	t.Helper()
	samples := make([]float32, 8000*seconds)
	for i := range samples {
		samples[i] = float32(loudness * math.Sin(float64(i)/5))
	}
	var b bytes.Buffer
	if err := audio.WriteWAV(&b, samples, 8000); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestLineIsRecorded checks that an operator can upload and remove the recording of a line without losing the form's
// content, and that unusable files are explained in the page's language.
func TestLineIsRecorded(t *testing.T) {
	t.Parallel()
	const line, path = "السلام عليكم", "steps.0.say.0"
	b := newRecordingBench(t)
	action := "/console" + appointment
	form := b.getPage(account.Operator, appointment+"/edit").wantStatus(200).formValues(action)
	form.Set(path, line)
	form.Set("name", "Changed meanwhile")
	form.Set("op", "record:"+path)
	open := b.postForm(account.Operator, appointment+"/draft", form).wantStatus(200).
		wantTexts("Record this line in your voice", `value="record-keep:`+path+`"`, "Changed meanwhile").wantNoTexts("Remove the recording")
	form = open.formValues(action)
	keep := func(data []byte) testAnswer {
		form.Set("op", "record-keep:"+path)
		return b.postFile(account.Operator, appointment+"/draft", "line.wav", data, form)
	}
	for _, c := range []struct {
		data  []byte
		fault string
	}{
		{nil, "Record something or choose a file first"},
		{[]byte("MZ no sound"), "read as sound"},
		{soundFile(t, 1, 0), "is silent"},
		{soundFile(t, 121, 0.1), "longer than two minutes"},
		{make([]byte, 25<<20+1), "larger than 25 MB"},
	} {
		keep(c.data).wantStatus(422).wantTexts(c.fault, "record-keep:"+path)
	}
	if found, _ := b.deps.UseCases.Lines.HasRecording("acme", line); found {
		t.Error("a fault was kept")
	}
	keep(soundFile(t, 1, 0.1)).wantStatus(200).wantTexts("The recording is saved", "Changed meanwhile", "Recorded by you").wantNoTexts("record-keep:")
	if found, _ := b.deps.UseCases.Lines.HasRecording("other", line); found {
		t.Error("another organization has it")
	}
	b.getPage(account.Owner, "/audit").wantStatus(200).wantTexts("recorded a line", line)
	form.Set("op", "record:"+path)
	b.postForm(account.Operator, appointment+"/draft", form).wantStatus(200).wantTexts("Remove the recording")
	form.Set("op", "record-remove:"+path)
	b.postForm(account.Operator, appointment+"/draft", form).wantStatus(200).wantTexts("The recording is removed").wantNoTexts("Recorded by you")
	b.postForm(account.Operator, appointment+"/draft", form).wantStatus(200)
	b.getPage(account.Owner, "/audit").wantTexts("removed a line")
	b.postFile(account.Viewer, appointment+"/draft", "line.wav", soundFile(t, 1, 0.1), form).wantStatus(403)
}

// TestLinesWithValues checks that a line with variables has no recorder and cannot be recorded by a forged form.
func TestLinesWithValues(t *testing.T) {
	t.Parallel()
	b := newRecordingBench(t)
	page := b.getPage(account.Operator, appointment+"/edit").wantStatus(200)
	form := page.formValues("/console" + appointment)
	for path := range form {
		if strings.Contains(form.Get(path), "{{") && strings.Contains(path, ".say") {
			page.wantNoTexts(`value="record:` + path + `"`)
			form.Set("op", "record-keep:"+path)
			b.postFile(account.Operator, appointment+"/draft", "x.wav", soundFile(t, 1, 0.1), form).wantStatus(422).
				wantTexts("differs from call to call")
			return
		}
	}
	t.Error("no line holds a value")
}

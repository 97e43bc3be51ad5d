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

// studio is a theatre whose lines can be recorded.
func studio(t *testing.T) *aBench {
	t.Helper()
	voice, err := voicepack.OpenPack(prompts.IndexText(), prompts.VoiceBytes(), prompts.WideVoiceBytes())
	if err != nil {
		t.Fatal(err)
	}
	b, _ := theatre(t, func(d *console.Dependencies) {
		d.UseCases.Lines = tts.NewRecordings(t.TempDir(), voice)
	})
	return b
}

// soundFile is a WAV file of a tone; of silence without a loudness.
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

// TestLineIsRecorded: an operator opens a line's recorder, sends a file that is kept beside what the form holds, and
// removes it; what can't be kept says why, in the page's language.
func TestLineIsRecorded(t *testing.T) {
	t.Parallel()
	const line, path = "السلام عليكم", "steps.0.say.0"
	b := studio(t)
	action := "/console" + appointment
	form := b.get(account.Operator, appointment+"/edit").want(200).form(action)
	form.Set(path, line)
	form.Set("name", "Changed meanwhile")
	form.Set("op", "record:"+path)
	open := b.post(account.Operator, appointment+"/draft", form).want(200).
		says("Record this line in your voice", `value="record-keep:`+path+`"`, "Changed meanwhile").not("Remove the recording")
	form = open.form(action)
	keep := func(data []byte) anAnswer {
		form.Set("op", "record-keep:"+path)
		return b.send(account.Operator, appointment+"/draft", "line.wav", data, form)
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
		keep(c.data).want(422).says(c.fault, "record-keep:"+path)
	}
	if found, _ := b.deps.UseCases.Lines.HasRecording("acme", line); found {
		t.Error("a fault was kept")
	}
	keep(soundFile(t, 1, 0.1)).want(200).says("The recording is kept", "Changed meanwhile", "Recorded").not("record-keep:")
	if found, _ := b.deps.UseCases.Lines.HasRecording("other", line); found {
		t.Error("another organization has it")
	}
	b.get(account.Owner, "/audit").want(200).says("recorded a line", line)
	form.Set("op", "record:"+path)
	b.post(account.Operator, appointment+"/draft", form).want(200).says("Remove the recording")
	form.Set("op", "record-remove:"+path)
	b.post(account.Operator, appointment+"/draft", form).want(200).says("The recording is removed").not(`class="recorded"`)
	b.post(account.Operator, appointment+"/draft", form).want(200)
	b.get(account.Owner, "/audit").says("removed a line")
	b.send(account.Viewer, appointment+"/draft", "line.wav", soundFile(t, 1, 0.1), form).want(403)
}

// TestLinesWithValues: a line that differs from call to call has no recorder, and can't be recorded by a made-up form.
func TestLinesWithValues(t *testing.T) {
	t.Parallel()
	b := studio(t)
	page := b.get(account.Operator, appointment+"/edit").want(200)
	form := page.form("/console" + appointment)
	for path := range form {
		if strings.Contains(form.Get(path), "{{") && strings.Contains(path, ".say") {
			page.not(`value="record:` + path + `"`)
			form.Set("op", "record-keep:"+path)
			b.send(account.Operator, appointment+"/draft", "x.wav", soundFile(t, 1, 0.1), form).want(422).
				says("differs from call to call")
			return
		}
	}
	t.Error("no line holds a value")
}

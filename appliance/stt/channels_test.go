package stt_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"munadi/appliance/recognizer"
	"munadi/appliance/stt"
	"munadi/engine"
	"munadi/engine/audio"
)

// dialogueEngine has the left channel say words in the even seconds, the right one in the odd ones.
func dialogueEngine(_ context.Context, src engine.SampleSource, o engine.TranscribeOptions) (*engine.Result, error) {
	words := map[string][]int{"left": {0, 2, 4}, "right": {1, 3}, "mix": {0}}
	name := "mix"
	for buffer := make([]float32, 100); ; {
		if _, err := src.Read(buffer); err != nil {
			break
		}
	}
	if s, ok := src.(interface{ Channel() audio.ChannelChoice }); ok {
		name = [...]string{"mix", "left", "right"}[s.Channel()]
	}
	for _, at := range words[name] {
		if err := o.OnSegment(newSegment(at, fmt.Sprint(name, at))); err != nil {
			return nil, err
		}
		o.OnProgress(float64(at)+1, 6)
	}
	return &engine.Result{Duration: 6}, nil
}

// TestChannels: the left, the right or both channels are decoded; separate ones are marked and ordered by time.
func TestChannels(t *testing.T) {
	t.Parallel()
	b := newSTTFixture(t)
	b.hears.transcribe = dialogueEngine
	for _, c := range []struct {
		file, channels string
		status         int
		text           string
		contains       string
	}{
		{"stereo", "", 200, "mix0", `"segments":[{"id":0,`},
		{"stereo", "mix", 200, "mix0", ""},
		{"stereo", "left", 200, "left0 left2 left4", `"words":[{"word":"left0","start":0.0,"end":1.0,"confidence":0.9}`},
		{"stereo", "right", 200, "right1 right3", ""},
		{"stereo", "separate", 200, "left0 right1 left2 right3 left4", `{"word":"right1","start":1.0,"end":2.0,"confidence":0.9,"channel":1}`},
		{"mono", "separate", 200, "left0 left2 left4", `{"word":"left4","start":4.0,"end":5.0,"confidence":0.9,"channel":0}`},
		{"mono", "right", 422, "", `"type":"audio_channel","loc":["body","channels"]`},
		{"stereo", "both", 422, "", `"loc":["body","channels"]`},
	} {
		w := b.postForm(t, transcriptions, formFields{"file": c.file, "channels": c.channels, "response_format": "verbose_json"})
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.contains) ||
			c.text != "" && !strings.Contains(w.Body.String(), `"text":"`+c.text+`","segments"`) {
			t.Errorf("%s, %q: %d %s", c.file, c.channels, w.Code, w.Body)
		}
		if told := strings.Contains(w.Body.String(), `"channel":`); c.status == 200 && told != (c.channels == "separate") {
			t.Errorf("%s, %q: channel told: %v", c.file, c.channels, told)
		}
	}
}

// TestChannelsStreamed: the pieces of two channels come in the order of time, before both are decoded to the end.
func TestChannelsStreamed(t *testing.T) {
	t.Parallel()
	b := newSTTFixture(t)
	goOn := make(chan struct{})
	b.hears.transcribe = func(ctx context.Context, src engine.SampleSource, o engine.TranscribeOptions) (*engine.Result, error) {
		if s, ok := src.(interface{ Channel() audio.ChannelChoice }); ok && s.Channel() == audio.RightChannel {
			mustSucceed(t, o.OnSegment(newSegment(1, "right1")))
			<-goOn
			return &engine.Result{Duration: 6}, nil
		}
		return dialogueEngine(ctx, src, o)
	}
	_, r := b.listenEvents(t, formFields{"file": "stereo", "channels": "separate", "stream": "true"})
	text := nextEvent(t, r).data["delta"].(string) + nextEvent(t, r).data["delta"].(string)
	close(goOn)
	for e := nextEvent(t, r); e != nil; e = nextEvent(t, r) {
		if delta, ok := e.data["delta"].(string); ok {
			text += delta
		} else if e.data["text"] != text || text != "left0 right1 left2 left4" {
			t.Errorf("after %q came %v", text, e.data)
		}
	}
}

// TestChannelsBusy: a full queue refuses a request at its beginning, and holds it up in its middle.
func TestChannelsBusy(t *testing.T) {
	t.Parallel()
	b := newSTTFixture(t)
	calls := 0
	b.hears.transcribe = func(ctx context.Context, src engine.SampleSource, o engine.TranscribeOptions) (*engine.Result, error) {
		if calls++; calls == 2 {
			return nil, &engine.ErrBusy{}
		}
		return dialogueEngine(ctx, src, o)
	}
	w := b.postForm(t, transcriptions, formFields{"file": "stereo", "channels": "separate"})
	if w.Code != 200 || calls != 3 {
		t.Errorf("after %d tries: %d %s", calls, w.Code, w.Body)
	}
}

// TestMergedResults: what a program without a server says of two channels.
func TestMergedResults(t *testing.T) {
	t.Parallel()
	results := []*engine.Result{
		{Duration: 3, Segments: []engine.Segment{newSegment(0, "a"), newSegment(2, "c")}},
		{Duration: 3, Segments: []engine.Segment{newSegment(1, "b")}},
	}
	if got := stt.ResponseBody(results, "separate", "text"); got != "a b c\n" {
		t.Errorf("got %q", got)
	}
	if got := stt.MergeSegments(results); len(got) != 3 || got[1].Text != "b" || got[2].ID != 2 {
		t.Errorf("got %+v", got)
	}
}

// TestEchoSearchesAreBounded: while the channels of a recording are searched for echoes, another recording of the
// organization waits, one of another organization is searched, too, and one that is not searched does not wait.
func TestEchoSearchesAreBounded(t *testing.T) {
	t.Parallel()
	began, release := make(chan string, 100), make(chan struct{})
	b := newSTTFixture(t, func(d *stt.Dependencies) {
		d.Open = func(ctx context.Context, r io.ReadSeeker, longest time.Duration, channel audio.ChannelChoice) (recognizer.OpenedSound, error) {
			if channel == audio.LeftChannel {
				began <- engine.ClientOf(ctx).Organization
				<-release
			}
			return openFake(ctx, r, longest, channel)
		}
	})
	b.hears.transcribe = dialogueEngine
	var wait sync.WaitGroup
	send := func(f formFields) {
		wait.Go(func() {
			if w := b.postForm(t, transcriptions, f); w.Code != http.StatusOK {
				t.Errorf("%v: %d %s", f, w.Code, w.Body)
			}
		})
	}
	send(formFields{"file": "stereo", "channels": "separate"})
	send(formFields{"file": "stereo", "channels": "left"})
	if org := <-began; org != "org1" {
		t.Errorf("%s is searched", org)
	}
	if w := b.postForm(t, transcriptions, formFields{"file": "stereo"}); w.Code != http.StatusOK {
		t.Errorf("a mixed one: %d %s", w.Code, w.Body)
	}
	send(formFields{"file": "stereo", "channels": "separate", "AUTHORIZATION": "Bearer two"})
	if org := <-began; org != "org2" {
		t.Errorf("%s is searched at the same time", org)
	}
	close(release)
	wait.Wait()
}

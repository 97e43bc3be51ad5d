package publisher_test

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/publisher"
	"munadi/appliance/ssehub"
	"munadi/appliance/textform"
	"munadi/store/call"
)

// fakeDialer ends an attempt with a status, after talking on a line.
type fakeDialer struct {
	run    func(c call.Call)
	status call.CallStatus
}

func (d fakeDialer) Run(_ context.Context, c call.Call) error { d.run(c); return nil }

func (d fakeDialer) Receive(ctx context.Context, c call.Call, _ carrier.IncomingCall, _ string) error {
	return d.Run(ctx, c)
}

func (d fakeDialer) FindCall(context.Context, string, string) (call.Call, error) {
	return call.Call{Status: d.status}, nil
}

// fakeLine is a line of a number of silent frames.
type fakeLine struct {
	carrier.Line
	frames, at int
}

func (l *fakeLine) Next(context.Context) (carrier.Frame, error) {
	if l.at == l.frames {
		return carrier.Frame{}, io.EOF
	}
	l.at++
	f := carrier.Frame{At: time.Duration(l.at-1) * carrier.Tick}
	f.In[0] = 1 << 14
	return f, nil
}

func (*fakeLine) Say(carrier.Speech)    {}
func (*fakeLine) Flush()                {}
func (*fakeLine) Queued() time.Duration { return time.Second }

// viewEvents returns the events of a topic, as "kind data", until its end.
func viewEvents(t *testing.T, hub *ssehub.EventHub, topic ssehub.EventTopic) []string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = hub.ServeTopic(w, r, topic)
	}))
	defer server.Close()
	defer server.CloseClientConnections()
	response, err := server.Client().Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var events []string
	kind := ""
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		if name, found := strings.CutPrefix(lines.Text(), "event: "); found {
			kind = name
		}
		data, found := strings.CutPrefix(lines.Text(), "data: ")
		if kind == ssehub.End {
			return events
		}
		if found {
			events = append(events, kind+" "+data)
		}
	}
	return events
}

// A call's states, messages, slots, spoken text and waveform are published in order, and its end counts once.
func TestCallIsPublished(t *testing.T) {
	t.Parallel()
	hubs := publisher.Hubs{Events: ssehub.NewHub(ssehub.HubOptions{}), Sound: ssehub.NewSoundHub()}
	t.Cleanup(hubs.Events.Close)
	counted := ""
	talk := func(c call.Call) {
		p := publisher.NewCallPublisher(hubs, c)
		if p.PartialInterval() != 0 {
			t.Error("partial transcripts are computed without viewers")
		}
		line := &publisher.TappedLine{Line: &fakeLine{frames: 30}, Publisher: p}
		line.Say(carrier.Speech{Text: "مرحبا", PCM: make([]int16, carrier.Rate)})
		for _, err := line.Next(t.Context()); err == nil; {
			_, err = line.Next(t.Context())
		}
		line.Flush()
		p.PublishPartial(1, 2, "نع")
		p.PublishNoWords()
		p.PublishMessage(call.Message{Content: "نعم"})
		p.PublishSlot("date", nil)
		p.PublishStaff(true)
	}
	dialer := fakeDialer{run: talk, status: call.Completed}
	d := &publisher.PublishingDialer{
		CallDialer: dialer, Store: dialer, Hubs: hubs, CountCall: func(status string) { counted += status },
	}
	if err := d.Run(t.Context(), call.Call{OrgID: "acme", ID: "1"}); err != nil || counted != "completed" {
		t.Errorf("counted %q, %v", counted, err)
	}
	got := strings.Join(viewEvents(t, hubs.Events, ssehub.EventTopic{OrgID: "acme", Name: "call/1"}), "\n")
	at := 0
	for _, want := range []string{
		`"status":"dialing"`, `say {"end":2,"start":1,"text":"مرحبا"}`, `peaks {"at":0,"left":[50,50,50,50,50]`,
		`peaks {"at":0.5,"left":[50]`, `cut {"at":0.6}`, `partial {"end":2,"start":1,"text":"نع"}`, `nothing {}`, `"نعم"`,
		`slot {"name":"date","value":null}`, `staff {"on":true}`, `"status":"completed"`,
	} {
		next := strings.Index(got[at:], want)
		if next < 0 {
			t.Fatalf("no %s at its place in\n%s", want, got)
		}
		at += next
	}
}

// A call that is scheduled again is not counted.
func TestRescheduledCallIsNotCounted(t *testing.T) {
	t.Parallel()
	hubs := publisher.Hubs{Events: ssehub.NewHub(ssehub.HubOptions{}), Sound: ssehub.NewSoundHub()}
	t.Cleanup(hubs.Events.Close)
	dialer := fakeDialer{run: func(call.Call) {}, status: call.Scheduled}
	d := &publisher.PublishingDialer{CallDialer: dialer, Store: dialer, Hubs: hubs, CountCall: func(status string) {
		t.Errorf("counted as %s", status)
	}}
	if err := d.Run(t.Context(), call.Call{OrgID: "acme", ID: "2"}); err != nil {
		t.Error(err)
	}
}

// TestSpokenTextHasTheTranscriptsForm checks that what the platform reads back is published as in the transcript.
func TestSpokenTextHasTheTranscriptsForm(t *testing.T) {
	t.Parallel()
	hubs := publisher.Hubs{Events: ssehub.NewHub(ssehub.HubOptions{}), Sound: ssehub.NewSoundHub()}
	t.Cleanup(hubs.Events.Close)
	p := publisher.NewCallPublisher(hubs, call.Call{OrgID: "acme", ID: "3"})
	p.Form = textform.Options{Redact: true}.FormatText
	line := &publisher.TappedLine{Line: &fakeLine{}, Publisher: p}
	line.Say(carrier.Speech{Text: "رقمكم صفر خمسة صفر واحد اثنان", PCM: make([]int16, carrier.Rate)})
	p.PublishEnd(call.Completed)
	got := strings.Join(viewEvents(t, hubs.Events, ssehub.EventTopic{OrgID: "acme", Name: "call/3"}), "\n")
	if !strings.Contains(got, `"text":"رقمكم […]"`) {
		t.Error(got)
	}
}

package trunk_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"munadi/appliance/admin"
	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip/sipptest"
	"munadi/appliance/carrier/trunk"
	"munadi/appliance/config"
)

// withTrunks returns settings with that list of trunks, in YAML.
func withTrunks(t *testing.T, list string) *config.Config {
	t.Helper()
	c := config.Default()
	c.Carrier, c.SIPListen, c.SIPRate = config.SIP, "127.0.0.1:0", 100
	if err := c.SIPTrunks.UnmarshalText([]byte(list)); err != nil {
		t.Fatal(err)
	}
	return c
}

// openRunning opens the trunks of settings, and runs them until the end of the test.
func openRunning(t *testing.T, cfg *config.Config) *trunk.TrunkGroup {
	t.Helper()
	g, err := trunk.OpenTrunks(cfg, "1.0", slog.New(slog.NewTextHandler(t.Output(), nil)))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	over := make(chan struct{})
	go func() {
		defer close(over)
		_ = g.Run(ctx)
	}()
	t.Cleanup(func() { cancel(); <-over; _ = g.Close() })
	return g
}

// changeTrunks puts other settings in force.
func changeTrunks(t *testing.T, g *trunk.TrunkGroup, cfg *config.Config) {
	t.Helper()
	change, err := g.PrepareChange(cfg)
	if err != nil {
		t.Fatal(err)
	}
	change.Apply()
}

// TestChangeKeepsUnchangedTrunks checks that a change keeps the trunks whose settings it does not change, whose lines
// and prefixes alone it changes, and replaces the others.
func TestChangeKeepsUnchangedTrunks(t *testing.T) {
	t.Parallel()
	password := filepath.Join(t.TempDir(), "password")
	writeFile(t, password, "one")
	list := func(lines int, prefix, from string) *config.Config {
		return withTrunks(t, fmt.Sprintf(`[{name: a, trunk: "sip:127.0.0.1:9", lines: %d, prefixes: ["%s"]},
			{name: b, trunk: "sip:127.0.0.1:9", from: "%s"}, {name: c, trunk: "sip:127.0.0.1:9", user: me, password-file: %s}]`,
			lines, prefix, from, password))
	}
	g := openRunning(t, list(3, "+966", "1"))
	before := g.Members()
	changeTrunks(t, g, list(5, "+971", "2"))
	after := g.Members()
	if after[0].Trunk != before[0].Trunk || after[0].Prefixes[0] != "+971" || after[0].FreeLines() != 5 {
		t.Errorf("the one with other lines and prefixes is another: %+v", after[0])
	}
	if after[1].Trunk == before[1].Trunk || after[2].Trunk != before[2].Trunk {
		t.Error("the changed one was kept, or the unchanged one was replaced")
	}
	writeFile(t, password, "two")
	changeTrunks(t, g, list(5, "+971", "2"))
	if g.Members()[2].Trunk == after[2].Trunk || g.Members()[1].Trunk != after[1].Trunk {
		t.Error("a new password does not replace its trunk, or replaces another")
	}
	changeTrunks(t, g, withTrunks(t, ""))
	var refusal *carrier.DialError
	if _, err := g.Dial(t.Context(), carrier.DialRequest{Number: "+966500000001"}); !errors.As(err, &refusal) ||
		refusal.RetryAfter == 0 || g.Lines() != 0 {
		t.Errorf("without a trunk a call ends with %v", err)
	}
}

func writeFile(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestRefusedChangeChangesNothing checks that one trunk that cannot be opened leaves all as they were; a name that DNS
// does not know is no fault of a change: it may come back.
func TestRefusedChangeChangesNothing(t *testing.T) {
	t.Parallel()
	const kept = `{name: a, trunk: "sip:127.0.0.1:9"}`
	g := openRunning(t, withTrunks(t, "["+kept+"]"))
	before := g.Members()
	for fault, want := range map[string]string{
		`{name: b, trunk: "sips:h", ca: /nowhere/ca.pem}`:                     "sip-ca",
		`{name: b, trunk: "sip:h", user: me, password-file: /nowhere}`:        "password-file",
		`{name: b, trunk: "sip:h", user: me, password-env: NO_SUCH_VARIABLE}`: "NO_SUCH_VARIABLE",
		`{name: b, trunk: "sip:h", listen: "192.0.2.1:0"}`:                    "192.0.2.1",
	} {
		_, err := g.PrepareChange(withTrunks(t, `[{name: c, trunk: "sip:127.0.0.1:9"}, `+kept+`, `+fault+`]`))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", fault, err)
		}
	}
	if after := g.Members(); len(after) != 1 || after[0].Trunk != before[0].Trunk {
		t.Errorf("the trunks are %+v", after)
	}
	changeTrunks(t, g, withTrunks(t, `[{name: b, trunk: "sip:trunk.invalid"}, `+kept+`]`))
	if after := g.Members(); len(after) != 2 || after[1].Trunk != before[0].Trunk {
		t.Errorf("with a name that DNS does not know: %+v", after)
	}
}

// TestWhyCallsWait checks that the status, the check and the health warning say that no trunk is set, and which one of
// the console could not be opened, with the reason.
func TestWhyCallsWait(t *testing.T) {
	t.Parallel()
	cfg := withTrunks(t, "")
	g, err := trunk.OpenTrunks(cfg, "1.0", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = g.Close() })
	warnOnce := func() string {
		ctx, cancel := context.WithCancel(t.Context())
		warned := make(chan string, 1)
		_ = trunk.RunTrunks(ctx, g, func(_, message string) { warned <- message; cancel() })
		return <-warned
	}
	found := trunk.CheckRunning(t.Context(), g)
	if len(found) != 1 || found[0].State != admin.StateFailed || !strings.Contains(found[0].Text, "no SIP trunk is set") {
		t.Errorf("without a trunk the check finds %+v", found)
	}
	if text := warnOnce(); !strings.Contains(text, "no SIP trunk is set") {
		t.Errorf("without a trunk the warning is %q", text)
	}
	address, _ := startPeer(t, "200 OK")
	g.PrepareStored(cfg, []config.SIPTrunkSettings{
		{Name: "lost", Trunk: address, User: "me", Prefixes: []string{"+966"}}, {Name: "other", Trunk: address},
	}).Apply()
	all := g.Statuses()
	if len(all) != 2 || all[1].Name != "lost" || all[1].Up || all[1].Since.IsZero() || all[1].Prefixes[0] != "+966" {
		t.Fatalf("the status is %+v", all)
	}
	const why = "its stored password cannot be used: type it again on its page of the console"
	if text := trunk.ExplainError(all[1].Err); !strings.HasSuffix(text, why) {
		t.Errorf("the trunk is down because %q", text)
	}
	found = trunk.CheckRunning(t.Context(), g)
	if f := found[1]; f.Name != "trunk lost" || f.State != admin.StateFailed || f.Text != "it is not open: The stored password cannot be used: type it again" {
		t.Errorf("the check finds %+v", found)
	}
	if text := warnOnce(); !strings.Contains(text, "trunk lost: calls wait") {
		t.Errorf("the warning is %q", text)
	}
}

// TestFixedPortOfAChangedTrunk checks that a trunk of the console whose settings change takes its fixed port when the
// calls of its former settings have ended, and says until then why it is not open.
func TestFixedPortOfAChangedTrunk(t *testing.T) {
	t.Parallel()
	peer := sipptest.PlayScenario(t, sipptest.ScenarioSettings{Scenario: answering, Sound: make([]int16, carrier.Rate)})
	cfg := withTrunks(t, "")
	g := openRunning(t, cfg)
	listen := netip.AddrPortFrom(sipptest.OwnAddress(), 5060).String()
	put := func(from string) {
		g.PrepareStored(cfg, []config.SIPTrunkSettings{{Name: "a", Trunk: "sip:" + peer.At.String(), From: from, Listen: listen}}).Apply()
	}
	put("1")
	line, err := g.Dial(t.Context(), carrier.DialRequest{CallID: "call_1", Number: "+966500000001", Ring: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	put("2")
	const why = "it opens when they have ended, or with another port"
	if all := g.Statuses(); len(all) != 1 || all[0].Up || !strings.HasSuffix(trunk.ExplainError(all[0].Err), why) || g.TakeFreed() {
		t.Fatalf("while the call is up: %+v", all)
	}
	if _, err := line.Next(t.Context()); err != nil {
		t.Fatalf("the call was ended: %v", err)
	}
	line.Hangup()
	ctx, cancel := context.WithTimeout(t.Context(), sipptest.Patience)
	defer cancel()
	if err := sipptest.PollUntil(ctx, peer.ExitedChan(), g.TakeFreed); err != nil {
		t.Fatalf("the port was not freed: %v", err)
	}
	if put("2"); len(g.Members()) != 1 || g.TakeFreed() {
		t.Errorf("with the port free: %+v", g.Statuses())
	}
}

// answering is a trunk that answers calls, plays, and waits for our BYE.
const answering = `<?xml version="1.0"?><scenario name="uas">
<recv request="OPTIONS" optional="true" next="alive"/>
<recv request="INVITE"/>
<send retrans="500"><![CDATA[
SIP/2.0 200 OK
[last_Via:]
[last_From:]
[last_To:];tag=[call_number]
[last_Call-ID:]
[last_CSeq:]
Contact: <sip:[local_ip]:[local_port]>
Content-Type: application/sdp
Content-Length: [len]

v=0
o=- 1 1 IN IP4 [local_ip]
s=-
c=IN IP4 [media_ip]
t=0 0
m=audio [rtpstream_audio_port] RTP/AVP 8
a=rtpmap:8 PCMA/8000
]]></send>
<recv request="ACK"/>
<nop><action><exec rtp_stream="talk.al,-1,8"/></action></nop>
<recv request="BYE"/>
<label id="alive"/>
<send><![CDATA[
SIP/2.0 200 OK
[last_Via:]
[last_From:]
[last_To:]
[last_Call-ID:]
[last_CSeq:]
Content-Length: 0

]]></send></scenario>`

// TestChangeDuringCalls checks that 50 calls go on while their trunk is replaced, that the next call goes over the new
// one at once, and that the old one is closed when the calls have ended.
func TestChangeDuringCalls(t *testing.T) {
	t.Parallel()
	const calls = 50
	sound := make([]int16, carrier.Rate)
	peer := sipptest.PlayScenario(t, sipptest.ScenarioSettings{Scenario: answering, Sound: sound})
	other := sipptest.PlayScenario(t, sipptest.ScenarioSettings{Scenario: answering, Sound: sound})
	list := func(at fmt.Stringer) *config.Config {
		return withTrunks(t, fmt.Sprintf(`[{name: a, trunk: "sip:%s", lines: %d}]`, at, calls))
	}
	g := openRunning(t, list(peer.At))
	old := g.Members()[0]
	lines := make([]carrier.Line, calls)
	var dialling sync.WaitGroup
	for i := range lines {
		dialling.Go(func() {
			var err error
			lines[i], err = g.Dial(t.Context(), carrier.DialRequest{
				CallID: fmt.Sprint("call_", i), Number: fmt.Sprintf("+9665000000%02d", i), Ring: time.Minute, Attempt: 1,
			})
			if err != nil {
				t.Errorf("call %d: %v", i, err)
			}
		})
	}
	dialling.Wait()
	if t.Failed() {
		return
	}
	changeTrunks(t, g, list(other.At))
	if old.IsIdle() || g.Members()[0].Trunk == old.Trunk {
		t.Fatal("the trunk was not replaced, or its calls were ended")
	}
	next, err := g.Dial(t.Context(), carrier.DialRequest{CallID: "call_next", Number: "+966500000099", Ring: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range lines {
		for range 10 {
			if _, err := line.Next(t.Context()); err != nil {
				t.Fatalf("call %d was ended: %v", i, err)
			}
		}
	}
	for _, line := range append(lines, next) {
		line.Hangup()
	}
	ctx, cancel := context.WithTimeout(t.Context(), sipptest.Patience)
	defer cancel()
	if err := sipptest.PollUntil(ctx, peer.ExitedChan(), func() bool { return !g.IsLeaving(old) }); err != nil {
		t.Errorf("the old trunk was not closed: %v", err)
	}
}

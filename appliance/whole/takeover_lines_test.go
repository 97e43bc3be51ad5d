package whole_test

import (
	"fmt"
	"math"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"munadi/appliance/carrier/sip/sipptest"
	"munadi/appliance/demo/browsertest"
	"munadi/engine/audio"
)

// toneMicrophone starts a browser whose microphone plays a tone for a minute.
func toneMicrophone(t *testing.T) *browsertest.TestBrowser {
	t.Helper()
	tone := make([]float32, 60*audio.Rate)
	for i := range tone {
		tone[i] = float32(0.4 * math.Sin(2*math.Pi*personTone*float64(i)/audio.Rate))
	}
	recording := filepath.Join(t.TempDir(), "tone.wav")
	mustSucceed(t, os.WriteFile(recording, encodeWAV(t, tone), 0o600))
	return browsertest.StartBrowser(t, browsertest.BrowserOptions{Microphone: recording})
}

// badNetwork passes connections on until it is cut: from then on nothing passes, and nobody is told. Every twentieth
// piece is held up, and what follows it, as by TCP after a loss.
type badNetwork struct {
	URL   string
	cut   chan struct{}
	delay time.Duration
}

// newBadNetwork passes connections on to an appliance.
func newBadNetwork(t *testing.T, a *testInstance, delay time.Duration) *badNetwork {
	t.Helper()
	to := strings.TrimPrefix(a.URL, "http://")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	mustSucceed(t, err)
	n := &badNetwork{URL: "http://" + l.Addr().String(), cut: make(chan struct{}), delay: delay}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", to)
			if err != nil {
				_ = near.Close()
				continue
			}
			t.Cleanup(func() { _, _ = near.Close(), far.Close() })
			go n.pass(near, far)
			go n.pass(far, near)
		}
	}()
	return n
}

// pass copies one direction of a connection.
func (n *badNetwork) pass(to, from net.Conn) {
	b := make([]byte, 32<<10)
	for i := 1; ; i++ {
		got, err := from.Read(b)
		if i%20 == 0 {
			time.Sleep(n.delay)
		}
		select {
		case <-n.cut:
			return
		default:
		}
		if _, failed := to.Write(b[:got]); failed != nil || err != nil {
			_ = to.Close()
			return
		}
	}
}

// TestTakeOverWithoutNetwork cuts the network between a member of staff and the appliance while they talk with a caller:
// their page says so, the dialogue goes on, and the record says that they no longer have the call.
func TestTakeOverWithoutNetwork(t *testing.T) {
	t.Parallel()
	takeSoundSlot(t)
	b := toneMicrophone(t)
	a := startInstance(t, instanceSettings{env: []string{"MUNADI_BOOTSTRAP_ADMIN_PASSWORD=" + livePassword}})
	network := newBadNetwork(t, a, 0)
	id := a.bookCall(t, simulatedNumber("08"), "restaurant_order", nil).textAt("id")
	p := signedIn(t, b, &testInstance{URL: network.URL}, "/console/calls/"+id)
	p.WaitVisible(".bubble.assistant .word")
	p.ClickElement("#take-over button")
	p.WaitText("#take-over [role=status]", "You are talking with the customer.")
	time.Sleep(2 * time.Second) // of talk
	close(network.cut)
	began := time.Now()
	p.WaitText("#take-over [role=status]", "The connection was lost")
	t.Logf("the page says so after %.1f s", time.Since(began).Seconds())
	for !strings.Contains(auditActions(t, a), "call.handed_back") {
		if time.Since(began) > patience {
			t.Fatal("the call is not handed back")
		}
		time.Sleep(100 * time.Millisecond)
	}
	time.Sleep(3 * time.Second) // of the dialogue
	a.requestAPI(t, http.MethodPost, "/calls/"+id+"/hangup", nil).wantStatus(t, 202)
	c := a.awaitEnded(t, id)
	if said := strings.Join(spokenByPlatform(c), " / "); c.textAt("status") != "completed" || !strings.Contains(said, "لحظة") {
		t.Errorf("it is %s, and says %q", c.textAt("status"), said)
	}
	taken := jsonObject(c.listAt("transfers")[0].(map[string]any))
	if held, _ := taken.valueAt("duration").(float64); taken.textAt("way") != "browser" || held < 2 || held > 9 {
		t.Errorf("the takeover is %v", taken)
	}
	if done := auditActions(t, a); !strings.Contains(done, "call.taken_over") {
		t.Errorf("the audit log has %s", done)
	}
}

// auditActions returns the actions in the audit log.
func auditActions(t *testing.T, a *testInstance) string {
	t.Helper()
	return fmt.Sprint(regexp.MustCompile(`"action":"[^"]*"`).FindAllString(a.requestAPI(t, http.MethodGet, "/audit", nil).wantStatus(t, 200).String(), -1))
}

// TestTakeOverOverABadNetwork checks that a member of staff is heard without gaps over a network that stops for a moment
// again and again.
func TestTakeOverOverABadNetwork(t *testing.T) {
	t.Parallel()
	takeSoundSlot(t)
	b := toneMicrophone(t)
	a := startInstance(t, instanceSettings{env: []string{"MUNADI_BOOTSTRAP_ADMIN_PASSWORD=" + livePassword}})
	network := newBadNetwork(t, a, 150*time.Millisecond)
	id := a.bookCall(t, simulatedNumber("08"), "restaurant_order", nil).textAt("id")
	p := signedIn(t, b, &testInstance{URL: network.URL}, "/console/calls/"+id)
	p.WaitVisible(".bubble.assistant .word")
	p.ClickElement("#take-over button")
	p.WaitText("#take-over [role=status]", "You are talking with the customer.")
	time.Sleep(12 * time.Second) // of talk
	a.requestAPI(t, http.MethodPost, "/calls/"+id+"/hangup", nil)
	_, sound := checkPlayable(t, a, a.awaitEnded(t, id))
	windows := toneWindows(sound, personTone)[1]
	windows = windows[len(windows)-100:]
	heard := 0
	for _, is := range windows {
		if is {
			heard++
		}
	}
	t.Logf("they are heard in %d of the last %d windows", heard, len(windows))
	if heard < 85 {
		t.Errorf("they are heard in %d of the last %d windows", heard, len(windows))
	}
}

// TestTakeOverOfAnInboundCall takes a call over that comes in over SIP: the microphone is the platform's side within a
// second, what is said to the caller has no gap of more than two, and the caller's hang-up ends it.
func TestTakeOverOfAnInboundCall(t *testing.T) {
	t.Parallel()
	takeSoundSlot(t)
	b := toneMicrophone(t)
	from := netip.AddrPortFrom(sipptest.OwnAddress(), 5060)
	listen := netip.AddrPortFrom(sipptest.OwnAddress(), 5060)
	a := startInstance(t, instanceSettings{env: []string{"MUNADI_BOOTSTRAP_ADMIN_PASSWORD=" + livePassword}, args: []string{
		"--carrier", "sip", "--sip-trunk", "sip:" + from.String(), "--sip-from", "966112345678", "--sip-media-ports", "30900-30999",
		"--sip-listen", listen.String(),
	}})
	a.tends = append(a.tends, "trunk") // SIPp is there for a call alone
	a.requestAPI(t, http.MethodPut, "/inbound", jsonObject{"routes": []jsonObject{{"number": "+966112345678", "scenario_id": "restaurant_order"}}}).wantStatus(t, 200)
	caller := sipptest.PlayScenario(t, sipptest.ScenarioSettings{
		Scenario: leavingCaller(t, 20*time.Second), Sound: sineTone(4000, 440), Calls: listen, At: from,
	})
	var ids []string
	for ; len(ids) == 0; time.Sleep(20 * time.Millisecond) {
		ids = newInboundCalls(t, a, map[string]bool{})
	}
	p := signedIn(t, b, a, "/console/calls/"+ids[0])
	p.WaitVisible(".bubble.assistant .word")
	clicked := browsertest.EvalExpression[float64](p, `Date.now()`)
	p.ClickElement("#take-over button")
	p.WaitText("#take-over [role=status]", "You are talking with the customer.")
	select {
	case <-caller.ExitedChan():
	case <-time.After(patience):
		t.Fatal("SIPp waits")
	}
	caller.EndCalls(t)
	c := a.awaitEnded(t, ids[0])
	if taken := fmt.Sprint(c.valueAt("transfers")); c.textAt("status") != "completed" || c.textAt("ended_by") != "customer" || !strings.Contains(taken, "way:browser") || !strings.Contains(taken, "outcome:transferred") {
		t.Errorf("it is %s, ended by %s, taken %s", c.textAt("status"), c.textAt("ended_by"), taken)
	}
	if done := auditActions(t, a); !strings.Contains(done, "call.taken_over") || strings.Contains(done, "call.handed_back") {
		t.Errorf("the audit log has %s", done)
	}
	_, sound := checkPlayable(t, a, c)
	answered, err := time.Parse(time.RFC3339, c.textAt("started_at"))
	mustSucceed(t, err)
	windows := toneWindows(sound, personTone)[1]
	spoke := slices.Index(windows, true)
	after := float64(spoke)*toneWindow - (clicked-float64(answered.UnixMilli()))/1000
	t.Logf("the microphone is the platform's side %.1f s after the click; the longest silence lasts %.2f s", after, longestSilence(sound, 1))
	if spoke < 0 || after > 2 || longestSilence(sound, 1) > 2 {
		t.Errorf("the microphone is heard %.1f s after the click, the longest silence lasts %.2f s", after, longestSilence(sound, 1))
	}
}

// leavingCaller is the scenario of a caller for SIPp who hangs up after some time.
func leavingCaller(t *testing.T, after time.Duration) string {
	t.Helper()
	stays := inboundCaller(t, "+966500000007", "966112345678", "")
	left := strings.Replace(stays, `<recv request="BYE"/>`, fmt.Sprintf(`<recv request="BYE" timeout="%d" ontimeout="leave"/>`, after.Milliseconds()), 1)
	return strings.Replace(left, `</scenario>`, `<nop next="end"/><label id="leave"/>
  <send retrans="20000">
    <![CDATA[

      BYE [$uri] SIP/2.0
      Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
      From: <sip:+966500000007@[local_ip]>;tag=[pid]-[call_number]
      To: <sip:966112345678@[remote_ip]>[peer_tag_param]
      Call-ID: [call_id]
      CSeq: 2 BYE
      Max-Forwards: 70
      Content-Length: 0

    ]]>
  </send>
  <recv response="200"/>
  <label id="end"/>
</scenario>`, 1)
}

// TestCrashDuringATakeover kills the appliance while a member of staff has a call: at the next start the call has
// failed, and the record says who had it.
func TestCrashDuringATakeover(t *testing.T) {
	t.Parallel()
	takeSoundSlot(t)
	b := toneMicrophone(t)
	settings := instanceSettings{data: filepath.Join(t.TempDir(), "data"), env: []string{"MUNADI_BOOTSTRAP_ADMIN_PASSWORD=" + livePassword}}
	a := startInstance(t, settings)
	id := a.bookCall(t, simulatedNumber("08"), "restaurant_order", jsonObject{"retry": jsonObject{"max_attempts": 1}}).textAt("id")
	p := signedIn(t, b, a, "/console/calls/"+id)
	p.WaitVisible(".bubble.assistant .word")
	p.ClickElement("#take-over button")
	p.WaitText("#take-over [role=status]", "You are talking with the customer.")
	time.Sleep(time.Second) // of talk
	p.ExpectText("net::ERR_")
	a.killProcess(t)
	p.WaitText("#take-over [role=status]", "The connection was lost")
	settings.noKey = true
	a = startInstance(t, settings)
	c := a.awaitEnded(t, id)
	if c.textAt("status") != "failed" || c.textAt("failure", "reason") != "interrupted" {
		t.Errorf("it is %s (%v)", c.textAt("status"), c.valueAt("failure"))
	}
	checkPlayable(t, a, c)
	p = signedIn(t, b, a, "/console/calls/"+id)
	p.WaitText("main", "Staff took the conversation over")
}

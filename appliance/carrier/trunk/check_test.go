package trunk_test

import (
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"munadi/appliance/admin"
	"munadi/appliance/carrier/sip"
	"munadi/appliance/carrier/trunk"
	"munadi/appliance/config"
)

// startPeer starts a SIP server on UDP that answers every request with one status. It returns its address and the
// methods that it received.
func startPeer(t *testing.T, status string) (trunk string, asked func() []string) {
	t.Helper()
	socket, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	methods := make(chan string, 100)
	done := make(chan struct{})
	go func() {
		defer close(done)
		packet := make([]byte, 65536)
		for {
			n, from, err := socket.ReadFrom(packet)
			if err != nil {
				return
			}
			lines := strings.Split(string(packet[:n]), "\r\n")
			answer := []string{"SIP/2.0 " + status, "Server: Trial 1.0"}
			for _, line := range lines[1:] {
				name, _, _ := strings.Cut(line, ":")
				if slices.Contains([]string{"Via", "From", "To", "Call-ID", "CSeq"}, name) {
					answer = append(answer, line)
				}
			}
			methods <- strings.Fields(lines[0])[0]
			_, _ = socket.WriteTo([]byte(strings.Join(append(answer, "Content-Length: 0", "", ""), "\r\n")), from)
		}
	}()
	t.Cleanup(func() { _ = socket.Close(); <-done })
	return "sip:" + socket.LocalAddr().String(), func() []string {
		_ = socket.Close()
		<-done
		close(methods)
		var all []string
		for m := range methods {
			all = append(all, m)
		}
		return all
	}
}

// configFor returns settings with that trunk.
func configFor(trunk string) *config.Config {
	c := config.Default()
	c.Carrier, c.SIPTrunk, c.SIPListen = config.SIP, trunk, "127.0.0.1:0"
	return c
}

// checkOffline returns the finding about the only trunk.
func checkOffline(t *testing.T, cfg *config.Config) admin.CheckFinding {
	t.Helper()
	found := trunk.CheckOffline(t.Context(), cfg, "1.0")
	if len(found) != 1 || found[0].Name != "trunk" {
		t.Fatalf("%+v", found)
	}
	return found[0]
}

// TestCheckSaysWhatToDo checks that the finding has the trunk's answer and the remedy.
func TestCheckSaysWhatToDo(t *testing.T) {
	t.Parallel()
	for status, want := range map[string]admin.CheckFinding{
		"200 OK":         {State: admin.StateOK, Text: "answers 200 in"},
		"404 Not Found":  {State: admin.StateOK, Text: "answers 404 in"}, // many trunks have no such user
		"403 Forbidden":  {State: admin.StateWarning, Text: "whether this IP address is allowed"},
		"405 Not so":     {State: admin.StateOK, Text: "(Trial 1.0)"},
		"503 Overloaded": {State: admin.StateWarning, Text: "overloaded or being serviced"},
	} {
		address, _ := startPeer(t, status)
		got := checkOffline(t, configFor(address))
		if got.State != want.State || !strings.Contains(got.Text, want.Text) || !strings.Contains(got.Text, address[4:]) {
			t.Errorf("%s: %+v", status, got)
		}
	}
}

// TestCheckSaysThatAudioIsMissing checks that the finding about a running trunk names calls without audio, and the remedy.
func TestCheckSaysThatAudioIsMissing(t *testing.T) {
	t.Parallel()
	for dead, want := range map[int]string{0: admin.StateOK, 1: admin.StateWarning} {
		g := trunk.NewGroup(slog.New(slog.DiscardHandler),
			trunk.GroupMember{Trunk: &fakeTrunk{name: "stc", lines: 1, noAudio: sip.NoAudio{Calls: dead, Of: 7}}})
		got := trunk.CheckRunning(t.Context(), g)[0]
		said := strings.Contains(got.Text, "of the last 7 answered calls of the hour 1 got no audio") && strings.Contains(got.Text, "sip-media-ports")
		if got.State != want || said != (dead > 0) {
			t.Errorf("%d calls: %+v", dead, got)
		}
	}
}

// TestCheckRegisters checks that a registration is tried if it is set and a password is known, and is removed
// afterwards.
func TestCheckRegisters(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status, password string
		want             admin.CheckFinding
		asked            []string
	}{
		{"200 OK", "secret", admin.CheckFinding{State: admin.StateOK, Text: "registers its user"}, []string{"OPTIONS", "REGISTER", "REGISTER"}},
		{"200 OK", "", admin.CheckFinding{State: admin.StateWarning, Text: "MUNADI_SIP_PASSWORD"}, []string{"OPTIONS"}},
		{"404 Who", "secret", admin.CheckFinding{State: admin.StateFailed, Text: "404"}, []string{"OPTIONS", "REGISTER"}},
	} {
		address, asked := startPeer(t, c.status)
		cfg := configFor(address)
		cfg.SIPRegister, cfg.SIPUser, cfg.SIPPassword = true, "966112345678", c.password
		got := checkOffline(t, cfg)
		if got.State != c.want.State || !strings.Contains(got.Text, c.want.Text) {
			t.Errorf("%s: %+v", c.status, got)
		}
		if strings.Contains(got.Text, "96611") || c.password != "" && strings.Contains(got.Text, c.password) {
			t.Errorf("the finding holds account or password: %s", got.Text)
		}
		if got := asked(); !slices.Equal(got, c.asked) {
			t.Errorf("%s: the trunk was asked %v", c.status, got)
		}
	}
}

// TestCheckNamesFields checks that the finding about a trunk that was made in the console names the fields of its form,
// and that of another one the settings.
func TestCheckNamesFields(t *testing.T) {
	t.Parallel()
	for stored, want := range map[bool][2]string{
		false: {"Check sip-user and the password (MUNADI_SIP_PASSWORD)", "check sip-user and MUNADI_SIP_PASSWORD"},
		true:  {"Check “User name” and the password (“Password”)", "Check “User name” and “Password”: "},
	} {
		g := trunk.NewGroup(slog.New(slog.DiscardHandler),
			trunk.GroupMember{Trunk: &fakeTrunk{name: "a", paused: &sip.CallPause{SIPCode: 401}}, Stored: stored},
			trunk.GroupMember{Trunk: &fakeTrunk{name: "b", silent: sip.StatusError(401)}, Stored: stored})
		for i, f := range trunk.CheckRunning(t.Context(), g) {
			if !strings.Contains(f.Text, want[i]) || strings.ContainsAny(f.Text, "\u2068\u2069") {
				t.Errorf("stored %v: %q, want %q", stored, f.Text, want[i])
			}
		}
	}
}

// TestCheckFindsRefusedCalls checks that a trunk that answers OPTIONS and refuses calls is found, with its name, its
// answer and the remedy.
func TestCheckFindsRefusedCalls(t *testing.T) {
	t.Parallel()
	for code, remedy := range map[int]string{
		401: "MUNADI_SIP_PASSWORD", 407: "MUNADI_SIP_PASSWORD", 403: "caller number", 503: "overloaded", 500: "tell it the answer",
		0: "firewall", 488: "--bundle", 200: "Put pcma first",
	} {
		since := time.Date(2026, 11, 25, 9, 0, 0, 0, time.Local)
		paused := &sip.CallPause{SIPCode: code, Phrase: "Go Away", Since: since, Next: since.Add(time.Minute)}
		g := trunk.NewGroup(slog.New(slog.DiscardHandler),
			trunk.GroupMember{Trunk: &fakeTrunk{name: "saudi", paused: paused}}, trunk.GroupMember{Trunk: &fakeTrunk{name: "any"}})
		found := trunk.CheckRunning(t.Context(), g)
		for _, want := range []string{paused.Answer(), remedy, "answers 200", "2026-11-25 09:00:00", "09:01:00"} {
			if said := map[int]string{0: "does not answer calls", 200: "with a media description"}[code]; said != "" && want == paused.Answer() {
				want = said
			}
			if f := found[0]; f.Name != "trunk saudi" || f.State != admin.StateFailed || !strings.Contains(f.Text, want) {
				t.Errorf("%d: without %q: %+v", code, want, f)
			}
		}
		if found[1].State != admin.StateOK {
			t.Errorf("the other one: %+v", found[1])
		}
		var shown []float64
		for _, g := range trunk.ListGauges(g) {
			if g.Labels["trunk"] == "saudi" && strings.HasPrefix(g.Name, "sip_paused") {
				shown = append(shown, g.Value())
			}
		}
		if !slices.Equal(shown, []float64{1, float64(code)}) {
			t.Errorf("%d: the gauges are %v", code, shown)
		}
	}
}

// TestUnreachableTrunk checks that each failure has its likely cause.
func TestUnreachableTrunk(t *testing.T) {
	t.Parallel()
	silent, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = silent.Close() })
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = closed.Close()
	stranger := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(stranger.Close)
	for name, c := range map[string]struct{ trunk, want string }{
		"silence":   {"sip:" + silent.LocalAddr().String(), "firewall"},
		"nobody":    {"sip:" + closed.Addr().String() + ";transport=tcp", "nothing listens there"},
		"no name":   {"sip:trunk.invalid", "DNS"},
		"no proof":  {"sips:" + strings.TrimPrefix(stranger.URL, "https://"), "set sip-ca to its CA's certificate"},
		"no family": {"sip:[::1]:5060", "sip-trunk"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := checkOffline(t, configFor(c.trunk))
			if got.State != admin.StateFailed || !strings.Contains(got.Text, c.want) {
				t.Errorf("%+v", got)
			}
		})
	}
	cfg := configFor("sips:127.0.0.1")
	cfg.SIPCA = "/nowhere/ca.pem"
	if got := checkOffline(t, cfg); got.State != admin.StateFailed || !strings.Contains(got.Text, "sip-ca") {
		t.Errorf("%+v", got)
	}
}

package whole_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

const adminPassword = "صقر فوق الجبل العالي"

// atConsole is an appliance with its first user at the console.
func atConsole(t *testing.T, s settings) (*instance, *operator) {
	t.Helper()
	s.env = append(s.env, "MUNADI_BOOTSTRAP_ADMIN_PASSWORD="+adminPassword)
	a := caller(t, s)
	o := a.operator(t)
	o.open("/console/sign-in")
	o.submit("/console/sign-in", http.StatusOK, "name", "admin", "password", adminPassword)
	if o.at != "/console" && o.at != "/console/" {
		t.Fatalf("the sign-in leads to %s", o.at)
	}
	return a, o
}

// cookies is the operator's Cookie header.
func (o *operator) cookies(t testing.TB) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, o.base+"/console/calls/events", nil)
	must(t, err)
	for _, c := range o.Jar.Cookies(r.URL) {
		r.AddCookie(c)
	}
	return r.Header.Get("Cookie")
}

// viewer is a bare connection that asked for the calls' events.
type viewer struct {
	net.Conn
	*bufio.Reader
	status int
	retry  string // Retry-After
}

func (a *instance) viewer(t testing.TB, cookie string) viewer {
	t.Helper()
	v := viewer{Conn: a.dial(t)}
	must(t, v.SetDeadline(time.Now().Add(patience)))
	fmt.Fprintf(v.Conn, "GET /console/calls/events HTTP/1.1\r\nHost: x\r\nCookie: %s\r\nAccept: text/event-stream\r\n\r\n", cookie)
	v.Reader = bufio.NewReader(v.Conn)
	res, err := http.ReadResponse(v.Reader, nil)
	must(t, err)
	v.status, v.retry = res.StatusCode, res.Header.Get("Retry-After")
	must(t, v.SetDeadline(time.Time{}))
	return v
}

// TestIdleViewers: thousands of pages that only look on are served or refused at once, nobody waits behind them, and
// when they have gone there is room again.
func TestIdleViewers(t *testing.T) {
	t.Parallel()
	crowd := 1500
	if long() {
		crowd = 10_000
	}
	crowd = min(crowd, descriptors(t)-1000)
	a, o := atConsole(t, settings{})
	cookie := o.cookies(t)
	before := a.resident(t)
	stop := a.probed(t)
	var (
		asking   sync.WaitGroup
		mu       sync.Mutex
		watching []viewer
		refused  int
		clients  = make(chan struct{}, crowd)
	)
	for range crowd {
		clients <- struct{}{}
	}
	close(clients)
	for range 16 {
		asking.Go(func() {
			for range clients {
				v := a.viewer(t, cookie)
				mu.Lock()
				switch {
				case v.status == 200:
					watching = append(watching, v)
				case v.status == 503 && v.retry != "":
					refused++
				default:
					t.Errorf("a viewer gets %d, Retry-After %q", v.status, v.retry)
				}
				mu.Unlock()
			}
		})
	}
	asking.Wait()
	if len(watching) != 512 || refused != crowd-512 {
		t.Errorf("%d watch and %d were refused", len(watching), refused)
	}
	a.book(t, simulated("90"), "appointment_confirmation", nil)
	for _, v := range watching { // each of them sees the call
		must(t, v.SetReadDeadline(time.Now().Add(patience)))
		for seen := ""; !strings.Contains(seen, "call_"); {
			line, err := v.ReadString('\n')
			must(t, err)
			seen = line
		}
	}
	a.post(t, transcriptions, file(sample(t, "order.flac"))).want(t, 200)
	t.Logf("%d clients: %d MiB became %d", crowd, before, a.resident(t))
	stop()
	for _, v := range watching {
		must(t, v.Close())
	}
	a.awaitViewer(t, cookie)
}

// awaitViewer wants a seat to be free soon.
func (a *instance) awaitViewer(t testing.TB, cookie string) {
	t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		if v := a.viewer(t, cookie); v.status == 200 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("all seats stay taken")
		}
	}
}

// TestReadersThatStop: whoever asks and takes nothing of the answers holds up neither calls nor other viewers.
func TestReadersThatStop(t *testing.T) {
	t.Parallel()
	a, o := atConsole(t, settings{args: []string{"--lines", "8"}})
	stop := a.probed(t)
	cookie := o.cookies(t)
	for range 20 {
		conn := a.dial(t)
		tcp, ok := conn.(*net.TCPConn)
		if !ok {
			t.Fatal("no TCP")
		}
		must(t, tcp.SetReadBuffer(4096))
		must(t, conn.SetWriteDeadline(time.Now().Add(time.Second)))
		for range 2000 { // more pages than fit between the two
			if _, err := io.WriteString(conn, "GET /docs HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
				break
			}
		}
	}
	deaf := a.viewer(t, cookie)
	must(t, deaf.Conn.(*net.TCPConn).SetReadBuffer(4096))
	awake := a.viewer(t, cookie)
	for range 20 {
		a.book(t, simulated("90"), "appointment_confirmation", nil)
	}
	must(t, awake.SetReadDeadline(time.Now().Add(conversation)))
	seen := map[string]bool{}
	for len(seen) < 20 {
		line, err := awake.ReadString('\n')
		must(t, err)
		if at := strings.Index(line, "call_"); at >= 0 {
			seen[line[at:at+41]] = true
		}
	}
	a.post(t, transcriptions, file(sample(t, "order.flac"))).want(t, 200)
	stop()
}

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

// atConsole starts an appliance and creates its first console user.
func atConsole(t *testing.T, s instanceSettings) (*testInstance, *consoleOperator) {
	t.Helper()
	s.env = append(s.env, "MUNADI_BOOTSTRAP_ADMIN_PASSWORD="+adminPassword)
	a := startFastCalls(t, s)
	o := a.newOperator(t)
	o.openPage("/console/sign-in")
	o.submitForm("/console/sign-in", http.StatusOK, "name", "admin", "password", adminPassword)
	if o.at != "/console" && o.at != "/console/" {
		t.Fatalf("the sign-in leads to %s", o.at)
	}
	return a, o
}

func (o *consoleOperator) cookieHeader(t testing.TB) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, o.base+"/console/calls/events", nil)
	mustSucceed(t, err)
	for _, c := range o.Jar.Cookies(r.URL) {
		r.AddCookie(c)
	}
	return r.Header.Get("Cookie")
}

// eventViewer is a connection that requested the events of calls (SSE).
type eventViewer struct {
	net.Conn
	*bufio.Reader
	status int
	retry  string // Retry-After
}

func (a *testInstance) openViewer(t testing.TB, cookie string) eventViewer {
	t.Helper()
	v := eventViewer{Conn: a.openConnection(t)}
	mustSucceed(t, v.SetDeadline(time.Now().Add(patience)))
	fmt.Fprintf(v.Conn, "GET /console/calls/events HTTP/1.1\r\nHost: x\r\nCookie: %s\r\nAccept: text/event-stream\r\n\r\n", cookie)
	v.Reader = bufio.NewReader(v.Conn)
	res, err := http.ReadResponse(v.Reader, nil)
	mustSucceed(t, err)
	v.status, v.retry = res.StatusCode, res.Header.Get("Retry-After")
	mustSucceed(t, v.SetDeadline(time.Time{}))
	return v
}

// TestIdleViewers checks that thousands of concurrent viewers are each served or refused at once, that other clients
// are not delayed, and that new viewers are served when they have gone.
func TestIdleViewers(t *testing.T) {
	t.Parallel()
	crowd := 1500
	if runsLongForms() {
		crowd = 10_000
	}
	crowd = min(crowd, fileLimit(t)-1000)
	a, o := atConsole(t, instanceSettings{})
	cookie := o.cookieHeader(t)
	before := a.residentMiB(t)
	stop := a.probeContinuously(t)
	var (
		asking   sync.WaitGroup
		mu       sync.Mutex
		watching []eventViewer
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
				v := a.openViewer(t, cookie)
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
	a.bookCall(t, simulatedNumber("90"), "appointment_confirmation", nil)
	for _, v := range watching { // each receives the call's event
		mustSucceed(t, v.SetReadDeadline(time.Now().Add(patience)))
		for seen := ""; !strings.Contains(seen, "call_"); {
			line, err := v.ReadString('\n')
			mustSucceed(t, err)
			seen = line
		}
	}
	a.postForm(t, transcriptions, withFile(demoSample(t, "order.flac"))).wantStatus(t, 200)
	t.Logf("%d clients: %d MiB became %d", crowd, before, a.residentMiB(t))
	stop()
	for _, v := range watching {
		mustSucceed(t, v.Close())
	}
	a.awaitViewer(t, cookie)
}

// awaitViewer waits until a viewer is served.
func (a *testInstance) awaitViewer(t testing.TB, cookie string) {
	t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		if v := a.openViewer(t, cookie); v.status == 200 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("all seats stay taken")
		}
	}
}

// TestReadersThatStop checks that a client that does not read its responses delays neither calls nor other viewers.
func TestReadersThatStop(t *testing.T) {
	t.Parallel()
	a, o := atConsole(t, instanceSettings{args: []string{"--lines", "8"}})
	stop := a.probeContinuously(t)
	cookie := o.cookieHeader(t)
	for range 20 {
		conn := a.openConnection(t)
		tcp, ok := conn.(*net.TCPConn)
		if !ok {
			t.Fatal("no TCP")
		}
		mustSucceed(t, tcp.SetReadBuffer(4096))
		mustSucceed(t, conn.SetWriteDeadline(time.Now().Add(time.Second)))
		for range 2000 { // more than the socket buffers hold
			if _, err := io.WriteString(conn, "GET /docs HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
				break
			}
		}
	}
	deaf := a.openViewer(t, cookie)
	mustSucceed(t, deaf.Conn.(*net.TCPConn).SetReadBuffer(4096))
	awake := a.openViewer(t, cookie)
	for range 20 {
		a.bookCall(t, simulatedNumber("90"), "appointment_confirmation", nil)
	}
	mustSucceed(t, awake.SetReadDeadline(time.Now().Add(conversation)))
	seen := map[string]bool{}
	for len(seen) < 20 {
		line, err := awake.ReadString('\n')
		mustSucceed(t, err)
		if at := strings.Index(line, "call_"); at >= 0 {
			seen[line[at:at+41]] = true
		}
	}
	a.postForm(t, transcriptions, withFile(demoSample(t, "order.flac"))).wantStatus(t, 200)
	stop()
}

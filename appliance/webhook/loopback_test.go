package webhook_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/x509"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"munadi/appliance/webhook"
	"munadi/store/delivery"
)

// patience is how long a try may take here instead of ten seconds: long, for receivers that answer.
const patience = 2 * time.Minute

// tryOnce makes one try of a notification to url, over the real network.
func tryOnce(t *testing.T, opt webhook.WorkerOptions, url string) (delivery.DeliveryTry, webhook.TryOutcome) {
	t.Helper()
	return tryFor(t, patience, opt, url)
}

// tryFor is tryOnce with another timeout.
func tryFor(t *testing.T, timeout time.Duration, opt webhook.WorkerOptions, url string) (delivery.DeliveryTry, webhook.TryOutcome) {
	t.Helper()
	o := newOutbox()
	o.setDelivery("bakery", delivery.WebhookSetting{URL: url, Enabled: true})
	opt.Store, opt.Body, opt.Version, opt.Log = o, callID, "1.2.3", slog.New(slog.DiscardHandler)
	w := webhook.NewWorker(opt).ChangeTimeout(timeout)
	return w.TryDelivery(t.Context(), delivery.NewDelivery("bakery", delivery.CallEnded, "call_1", time.Now()))
}

// serveRaw serves every connection with talk, and closes it after that.
func serveRaw(t *testing.T, talk func(net.Conn)) (url string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() { defer func() { _ = conn.Close() }(); talk(conn) }()
		}
	}()
	return "http://" + listener.Addr().String() + "/hook"
}

// answerSlowly reads the request, then writes the pieces with a pause between them, until the other side is gone.
func answerSlowly(pause time.Duration, pieces ...string) func(net.Conn) {
	return func(conn net.Conn) {
		if r, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
			_, _ = io.Copy(io.Discard, r.Body)
		}
		for _, piece := range pieces {
			if _, err := io.WriteString(conn, piece); err != nil {
				return
			}
			time.Sleep(pause)
		}
	}
}

// TestReceivers: whatever a receiver does, a try ends in time and says what happened.
func TestReceivers(t *testing.T) {
	t.Parallel()
	const head = "HTTP/1.1 200 OK\r\n"
	letters := strings.Split(strings.Repeat("x", 10_000), "")
	endless := []string{"never ends", "slow by the byte", "hangs", "head by the byte"} // only the timeout ends them
	for name, c := range map[string]struct {
		talk    func(net.Conn)
		outcome webhook.TryOutcome
		status  int
		words   string // in the try's error
		answer  string // the response's beginning
	}{
		"good":               {answerSlowly(0, head+"Content-Length: 2\r\n\r\nok"), webhook.Delivered, 200, "", "ok"},
		"no content":         {answerSlowly(0, "HTTP/1.1 204 No Content\r\n\r\n"), webhook.Delivered, 204, "", ""},
		"until it closes":    {answerSlowly(0, "HTTP/1.0 200 OK\r\n\r\nok"), webhook.Delivered, 200, "", "ok"},
		"early hints first":  {answerSlowly(0, "HTTP/1.1 103 Early Hints\r\n\r\n", head+"Content-Length: 0\r\n\r\n"), webhook.Delivered, 200, "", ""},
		"hardly read":        {func(c net.Conn) { _, _ = c.Read(make([]byte, 9)); _, _ = io.WriteString(c, head+"\r\nhello") }, webhook.Delivered, 200, "", "hello"},
		"never ends":         {answerSlowly(time.Hour, head+"\r\nhello"), webhook.Delivered, 200, "", "hello"},
		"slow by the byte":   {answerSlowly(10*time.Millisecond, append([]string{head + "\r\n"}, letters...)...), webhook.Delivered, 200, "", "x"},
		"body broken off":    {answerSlowly(0, head+"Content-Length: 9\r\n\r\nhel"), webhook.Delivered, 200, "", "hel"},
		"binary":             {answerSlowly(0, head+"Content-Length: 3\r\n\r\n\xff\xfea"), webhook.Delivered, 200, "", "\uFFFDa"},
		"500":                {answerSlowly(0, "HTTP/1.1 500 x\r\nContent-Length: 4\r\n\r\noops"), webhook.BadStatus, 500, "answered 500 Internal", "oops"},
		"299 is fine":        {answerSlowly(0, "HTTP/1.1 299 Own\r\nContent-Length: 0\r\n\r\n"), webhook.Delivered, 299, "", ""},
		"unknown status":     {answerSlowly(0, "HTTP/1.1 799 Own\r\nContent-Length: 0\r\n\r\n"), webhook.BadStatus, 799, "answered 799 instead", ""},
		"101":                {answerSlowly(0, "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"), webhook.BadStatus, 101, "101", ""},
		"304":                {answerSlowly(0, "HTTP/1.1 304 Not Modified\r\n\r\n"), webhook.BadStatus, 304, "answered 304", ""},
		"redirect":           {answerSlowly(0, "HTTP/1.1 302 Found\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n"), webhook.BadStatus, 302, `a redirect to "/other"`, ""},
		"to Arabic":          {answerSlowly(0, "HTTP/1.1 302 Found\r\nLocation: /"+strings.Repeat("س", 100)+"\r\nContent-Length: 0\r\n\r\n"), webhook.BadStatus, 302, `سس", which is not followed`, ""},
		"hangs":              {answerSlowly(time.Hour, ""), webhook.TimedOut, 0, "connected, but not answered", ""},
		"head by the byte":   {answerSlowly(500*time.Millisecond, strings.Split(head, "")...), webhook.TimedOut, 0, "connected, but not answered", ""},
		"closes at once":     {func(net.Conn) {}, webhook.Broken, 0, "closed the connection without an answer", ""},
		"closes after":       {answerSlowly(0), webhook.Broken, 0, "closed the connection without an answer", ""},
		"closes in the head": {answerSlowly(0, head+"Content-Le"), webhook.Broken, 0, "malformed MIME header", ""},
		"garbage":            {answerSlowly(0, "\x00\x01سلام\r\n\r\n"), webhook.Broken, 0, "the exchange failed: ", ""},
		"another protocol":   {answerSlowly(0, "SSH-2.0-OpenSSH_9.6\r\n"), webhook.Broken, 0, "the exchange failed: ", ""},
		"endless head":       {answerSlowly(0, head, "X: "+strings.Repeat("x", 1<<20)), webhook.Broken, 0, "the exchange failed: ", ""},
		"endless hints":      {answerSlowly(0, strings.Repeat("HTTP/1.1 103 Early Hints\r\nX: 1\r\n\r\n", 9000)), webhook.Broken, 0, "", ""},
		"slams the door":     {func(c net.Conn) { _ = c.(*net.TCPConn).SetLinger(0) }, webhook.Broken, 0, "closed the connection without an answer", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			timeout := patience
			if slices.Contains(endless, name) {
				timeout = 5 * time.Second
			}
			try, outcome := tryFor(t, timeout, webhook.WorkerOptions{}, serveRaw(t, c.talk))
			if outcome != c.outcome || try.StatusCode != c.status || !strings.Contains(try.Error, c.words) ||
				(try.Error == "") != (outcome == webhook.Delivered) || !strings.HasPrefix(try.Response, c.answer) {
				t.Errorf("%s, %+v", outcome, try)
			}
			if len(try.Error) > 300 {
				t.Errorf("it says %q", try.Error)
			}
		})
	}
}

// TestEndlessBody: 16 KiB of it are read, and kept.
func TestEndlessBody(t *testing.T) {
	t.Parallel()
	var sent atomic.Int64
	url := serveRaw(t, func(conn net.Conn) {
		answerSlowly(0, "HTTP/1.1 200 OK\r\n\r\n")(conn)
		for chunk := bytes.Repeat([]byte("spam"), 1000); ; {
			n, err := conn.Write(chunk)
			sent.Add(int64(n))
			if err != nil {
				return
			}
		}
	})
	try, outcome := tryOnce(t, webhook.WorkerOptions{}, url)
	if outcome != webhook.Delivered || len(try.Response) != 16<<10 {
		t.Errorf("%s with %d bytes", outcome, len(try.Response))
	}
	if sent.Load() > 64<<20 {
		t.Errorf("%d bytes were taken", sent.Load())
	}
}

// TestSwitchedProtocol: a receiver that switches protocols, and then keeps the connection, ends the try.
func TestSwitchedProtocol(t *testing.T) {
	t.Parallel()
	closed := make(chan error, 1)
	url := serveRaw(t, func(conn net.Conn) {
		answerSlowly(0, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n")(conn)
		_ = conn.SetReadDeadline(time.Now().Add(5 * time.Second))
		_, err := io.Copy(io.Discard, conn)
		closed <- err
	})
	try, outcome := tryOnce(t, webhook.WorkerOptions{}, url)
	if outcome == webhook.Delivered || try.StatusCode != 101 {
		t.Errorf("%s, %d", outcome, try.StatusCode)
	}
	if err := <-closed; err != nil {
		t.Errorf("the connection was kept: %v", err)
	}
}

// TestClosedKeptConnection: a kept connection that the receiver has closed costs no try: the same delivery goes over a
// new connection at once. One that is dropped there, or after the beginning of an answer, is not sent again.
func TestClosedKeptConnection(t *testing.T) {
	t.Parallel()
	const ok = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
	for name, c := range map[string]struct {
		second, third string // answers to the second and third request, after which the connection is closed
		outcome       webhook.TryOutcome
		requests      int
	}{
		"answers then":            {"", ok, webhook.Delivered, 3},
		"closes the new one, too": {"", "", webhook.Broken, 3},
		"begins an answer":        {"HTTP/1.1 2", ok, webhook.Broken, 2},
		"answers with an error":   {strings.Replace(ok, "200", "500", 1), ok, webhook.BadStatus, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var requests atomic.Int64
			ids := make(chan string, 9)
			url := serveRaw(t, func(conn net.Conn) {
				for in := bufio.NewReader(conn); ; {
					r, err := http.ReadRequest(in)
					if err != nil {
						return
					}
					body, _ := io.ReadAll(r.Body)
					_, sent := r.Header["Idempotency-Key"]
					ids <- fmt.Sprint(r.Header.Get("X-Munadi-Delivery"), string(body), sent)
					answer := []string{ok, c.second, c.third}[min(requests.Add(1)-1, 2)]
					_, _ = io.WriteString(conn, answer)
					if requests.Load() > 1 {
						return
					}
				}
			})
			network := webhook.OutboundNetwork{}.NewTransport()
			defer network.CloseIdleConnections()
			opt := webhook.WorkerOptions{Transport: network}
			if _, outcome := tryOnce(t, opt, url); outcome != webhook.Delivered {
				t.Fatalf("the first is %s", outcome)
			}
			try, outcome := tryOnce(t, opt, url)
			if outcome != c.outcome || requests.Load() != int64(c.requests) {
				t.Errorf("%s, %+v, after %d requests", outcome, try, requests.Load())
			}
			first, second := <-ids, <-ids
			if second == first || strings.HasSuffix(second, "true") || c.requests == 3 && <-ids != second {
				t.Errorf("sent %q, then %q, and then another one", first, second)
			}
		})
	}
}

// TestNoNewConnection: where no new connection is made after a closed one, the error doesn't say that there was one.
func TestNoNewConnection(t *testing.T) {
	t.Parallel()
	var dialled, requests atomic.Int64
	url := serveRaw(t, func(conn net.Conn) {
		for in := bufio.NewReader(conn); ; {
			r, err := http.ReadRequest(in)
			if err != nil {
				return
			}
			_, _ = io.Copy(io.Discard, r.Body)
			if requests.Add(1) > 1 {
				return
			}
			_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
		}
	})
	network := webhook.OutboundNetwork{}.NewTransport()
	defer network.CloseIdleConnections()
	dial := network.DialContext
	network.DialContext = func(ctx context.Context, kind, address string) (net.Conn, error) {
		if dialled.Add(1) > 1 {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return dial(ctx, kind, address)
	}
	opt := webhook.WorkerOptions{Transport: network}
	if _, outcome := tryOnce(t, opt, url); outcome != webhook.Delivered {
		t.Fatalf("the first is %s", outcome)
	}
	try, outcome := tryFor(t, 5*time.Second, opt, url)
	if outcome != webhook.TimedOut || !strings.HasPrefix(try.Error, "no connection within") {
		t.Errorf("%s, %+v", outcome, try)
	}
}

// TestConnectionsAreKept: ten notifications to one receiver share a connection.
func TestConnectionsAreKept(t *testing.T) {
	t.Parallel()
	var made atomic.Int64
	receiver := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"ok":true}`)
	}))
	receiver.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			made.Add(1)
		}
	}
	receiver.Start()
	defer receiver.Close()
	network := webhook.OutboundNetwork{}.NewTransport()
	defer network.CloseIdleConnections()
	for range 10 {
		if _, outcome := tryOnce(t, webhook.WorkerOptions{Transport: network}, receiver.URL); outcome != webhook.Delivered {
			t.Fatal(outcome)
		}
	}
	if made.Load() != 1 {
		t.Errorf("%d connections", made.Load())
	}
}

func TestTLS(t *testing.T) {
	t.Parallel()
	receiver := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	receiver.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	receiver.StartTLS()
	defer receiver.Close()
	known := x509.NewCertPool()
	known.AddCert(receiver.Certificate())
	elsewhere := strings.Replace(receiver.URL, "127.0.0.1", "localhost", 1)
	plain := strings.Replace(receiver.URL, "https", "http", 1)
	noTLS := strings.Replace(serveRaw(t, answerSlowly(0, "HTTP/1.1 400 Bad Request\r\n\r\n")), "http", "https", 1)
	for _, c := range []struct {
		name, url string
		roots     *x509.CertPool
		outcome   webhook.TryOutcome
		words     string
	}{
		{"unknown authority", receiver.URL, nil, webhook.Broken, "signed by an authority that this machine does not know"},
		{"known authority", receiver.URL, known, webhook.Delivered, ""},
		{"another host", elsewhere, known, webhook.Broken, "the certificate is for another host"},
		{"http to https", plain, known, webhook.BadStatus, "answered 400"},
		{"https to http", noTLS, known, webhook.Broken, "no TLS is spoken"},
	} {
		try, outcome := tryOnce(t, webhook.WorkerOptions{Network: webhook.OutboundNetwork{Roots: c.roots}}, c.url)
		if outcome != c.outcome || !strings.Contains(try.Error, c.words) {
			t.Errorf("%s: %s, %+v", c.name, outcome, try)
		}
	}
}

// TestUnreachable: names and addresses without a server.
func TestUnreachable(t *testing.T) {
	t.Parallel()
	gone := httptest.NewServer(nil)
	gone.Close()
	for url, want := range map[string]string{
		gone.URL:                       "the connection was refused: nothing listens at 127.0.0.1:",
		"http://no-such-name.invalid/": `the host name "no-such-name.invalid" `,
	} {
		try, outcome := tryOnce(t, webhook.WorkerOptions{}, url)
		if outcome != webhook.Broken || !strings.Contains(try.Error, want) {
			t.Errorf("%s: %s, %+v", url, outcome, try)
		}
	}
}

// TestOverTheNetwork: the whole worker with a real receiver, from the outbox to the record.
func TestOverTheNetwork(t *testing.T) {
	t.Parallel()
	got := make(chan string, 10)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got <- r.Method + " " + r.URL.String() + " " + r.Header.Get("Content-Type") + " " + string(body)
	}))
	defer receiver.Close()
	o := newOutbox()
	o.setDelivery("bakery", delivery.WebhookSetting{URL: receiver.URL + "/hook/s3cret?v=1", Enabled: true})
	opt := workerOptions(o, nil)
	opt.Transport = nil
	stop := startWorker(t, opt)
	o.addAndWake("bakery", "call_1")
	o.addAndWake("bakery", "call_2")
	lines := []string{<-got, <-got}
	slices.Sort(lines)
	for i, call := range []string{"call_1", "call_2"} {
		if lines[i] != "POST /hook/s3cret?v=1 application/json "+call {
			t.Errorf("the receiver got %s", lines[i])
		}
	}
	stop()
	if d := o.findByCall(t, "call_2"); d.State != delivery.Delivered || d.Tries[0].StatusCode != 200 {
		t.Errorf("the delivery is %+v", d)
	}
}

// TestLogKeepsSecrets: an address may hold a secret, and its name is not written anywhere but in the try.
func TestLogKeepsSecrets(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	o := newOutbox()
	o.setDelivery("bakery", delivery.WebhookSetting{URL: "http://127.0.0.1:1/s3cret", Enabled: true})
	opt := workerOptions(o, nil)
	opt.Transport, opt.Log = nil, slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- webhook.NewWorker(opt).Run(ctx) }()
	o.addAndWake("bakery", "call_1")
	for len(o.findByCall(t, "call_1").Tries) == 0 {
		time.Sleep(5 * time.Millisecond)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if text := log.String(); strings.Contains(text, "s3cret") || !strings.Contains(text, "call_1") {
		t.Errorf("the log says %s", text)
	}
}

package whole_test

import (
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// TestHundredUploads checks that an upload beyond the queue is refused with Retry-After, and that clients that retry
// are served: each of a hundred concurrent ones gets the text of its recording.
func TestHundredUploads(t *testing.T) {
	t.Parallel()
	a := startInstance(t, instanceSettings{args: []string{"--queue", "16"}})
	stop := a.probeContinuously(t)
	kinds := []struct {
		want string
		form []byte
	}{{want: confirmText}, {want: timeText}}
	for i, name := range []string{"confirm.flac", "time.flac"} {
		kinds[i].form = encodeWAV(t, append(recordingSamples(t, demoSample(t, name)), silentSeconds(40)...)) // 1.5 MB and more
	}
	var (
		all     sync.WaitGroup
		refused atomic.Int32
		before  = a.residentMiB(t)
		most    = before
	)
	for i := range 100 {
		kind := kinds[i%2]
		all.Go(func() {
			for deadline := time.Now().Add(jobPatience()); ; {
				r := newRequest([]requestPart{withFile(kind.form), withField("response_format", "text")}).newHTTPRequest(t, http.MethodPost, a.URL+transcriptions)
				said, wait := textOrWait(t, r)
				if wait == 0 {
					if said != kind.want+"\n" {
						t.Errorf("heard %q, want %q", said, kind.want)
					}
					return
				}
				refused.Add(1)
				if time.Now().After(deadline) {
					t.Error("it never had its turn")
					return
				}
				time.Sleep(wait)
			}
		})
	}
	served := make(chan struct{})
	go func() { all.Wait(); close(served) }()
	for watching := true; watching; {
		select {
		case <-served:
			watching = false
		case <-time.After(100 * time.Millisecond):
			most = max(most, a.residentMiB(t))
		}
	}
	t.Logf("%d refusals; %d MiB became %d at most", refused.Load(), before, most)
	if refused.Load() == 0 {
		t.Error("the queue of 16 took a hundred")
	}
	if left := leftoverUploads(t, a); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	stop()
}

// textOrWait returns the text of a recording, or the time to wait before the next try.
func textOrWait(t *testing.T, r *http.Request) (said string, again time.Duration) {
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Error(err)
		return "", 0
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != 200 && res.StatusCode != 429 {
		t.Errorf("%d %s %v", res.StatusCode, body, err)
	}
	if res.StatusCode != 429 {
		return string(body), 0
	}
	seconds, err := strconv.Atoi(res.Header.Get("Retry-After"))
	if err != nil || seconds < 1 {
		t.Errorf("Retry-After %q", res.Header.Get("Retry-After"))
	}
	return "", time.Duration(max(seconds, 1)) * time.Second
}

// openRealtime opens a realtime session; nil with the HTTP status if it is refused.
func (a *testInstance) openRealtime(t testing.TB) (*websocket.Conn, int) {
	t.Helper()
	conn, res, err := websocket.Dial(t.Context(), "ws"+strings.TrimPrefix(a.URL, "http")+"/compat/v1/realtime?intent=transcription",
		&websocket.DialOptions{HTTPHeader: http.Header{"Authorization": {"Bearer " + bootstrapKey}}})
	if err != nil {
		if res == nil {
			t.Fatal(err)
		}
		return nil, res.StatusCode
	}
	conn.SetReadLimit(1 << 20)
	t.Cleanup(func() { _ = conn.CloseNow() })
	return conn, res.StatusCode
}

// TestIdleAndRudeSockets checks that idle sessions are limited in number, that oversized messages close a session, and
// that its place is free afterwards.
func TestIdleAndRudeSockets(t *testing.T) {
	t.Parallel()
	a := startInstance(t, instanceSettings{})
	stop := a.probeContinuously(t)
	var open []*websocket.Conn
	for {
		conn, status := a.openRealtime(t)
		if conn == nil {
			if status != http.StatusTooManyRequests || len(open) < 8 {
				t.Errorf("session %d is refused with %d", len(open)+1, status)
			}
			break
		}
		if open = append(open, conn); len(open) > 1000 {
			t.Fatal("there is no bound")
		}
	}
	t.Logf("%d sessions at once", len(open))
	a.postForm(t, transcriptions, withFile(demoSample(t, "order.flac"))).wantStatus(t, 200)
	rude := [][]byte{
		make([]byte, 30<<20), // a message over the size limit
		[]byte(strings.Repeat("[", 1<<20)),
		[]byte(`{"type":"input_audio_buffer.append","audio":"` + strings.Repeat("%", 1<<20) + `"}`),
		[]byte("\xff\xfe\x00"),
	}
	var shouting sync.WaitGroup
	for i, conn := range open[:8] {
		shouting.Go(func() { // the connection may be closed while it is written to
			kind := websocket.MessageText
			if i%2 == 1 {
				kind = websocket.MessageBinary
			}
			_ = conn.Write(t.Context(), kind, rude[i/2])
		})
	}
	shouting.Wait()
	for _, conn := range open[:2] { // those with oversized messages
		for {
			if _, _, err := conn.Read(t.Context()); err != nil {
				if websocket.CloseStatus(err) != websocket.StatusMessageTooBig {
					t.Errorf("a giant message ends as %v", err)
				}
				break
			}
		}
	}
	t.Logf("%d MiB", a.residentMiB(t))
	for _, conn := range open {
		_ = conn.CloseNow()
	}
	for deadline := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		if conn, _ := a.openRealtime(t); conn != nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("all sessions stay taken")
		}
	}
	stop()
}

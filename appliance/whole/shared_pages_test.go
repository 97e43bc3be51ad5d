package whole_test

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestSharedPages checks that a page of one appliance shows the words of a call on the other live, streams its audio
// and sees its end; that the system page lists both appliances, also one that died; and that a rate limit holds over
// both.
func TestSharedPages(t *testing.T) {
	t.Parallel()
	p := startPair(t, "--rate-limit", "600")
	o := p.a.newOperator(t)
	o.openPage("/console/sign-in")
	o.submitForm("/console/sign-in", http.StatusOK, "name", "admin", "password", adminPassword)
	id := p.a.bookCall(t, simulatedNumber("05"), "restaurant_order", nil).textAt("id")
	p.a.awaitCall(t, id, isUp)
	owner, other := p.ownerOf(t, id)
	page := o.cookieHeader(t)

	events := other.followResponse(t, "/console/calls/"+id+"/events", page)
	defer events.Close()
	begin, text := time.Now(), ""
	lines := bufio.NewScanner(events)
	for lines.Scan() {
		if line := lines.Text(); strings.HasPrefix(line, "data:") && strings.Contains(line, `"text"`) {
			text = line
			break
		}
	}
	if text == "" {
		t.Error("the page on the other appliance showed no words")
	}
	t.Logf("the first words showed after %v", time.Since(begin).Round(time.Millisecond))
	sound := other.followResponse(t, "/console/calls/"+id+"/listen", page)
	defer sound.Close()
	if _, err := io.ReadFull(sound, make([]byte, 32_000)); err != nil {
		t.Errorf("the audio on the other appliance: %v", err)
	}
	other.requestAPI(t, "POST", "/calls/"+id+"/hangup", nil)
	for lines.Scan() && lines.Text() != "event: end" {
	}
	if lines.Text() != "event: end" {
		t.Errorf("the page did not see the end of the call: %v", lines.Err())
	}

	listed := o.openPage("/console/system")
	if n := strings.Count(listed, ">working<"); n != 2 {
		t.Errorf("the system page lists %d working appliances, want 2", n)
	}
	refused := 0
	for i := range 900 {
		if one := []*testInstance{p.a, p.b}[i%2]; one.fetchStatus(t, "/api/v1/calls") == http.StatusTooManyRequests {
			refused++
		}
	}
	if refused == 0 {
		t.Error("900 requests of a key that may make 600 were let in by two appliances together")
	}
	owner.killProcess(t)
	o.base = other.URL
	for until := time.Now().Add(2 * patience); !strings.Contains(o.openPage("/console/system"), "unreachable"); {
		if time.Now().After(until) {
			t.Fatal("the appliance that died is not seen as dead")
		}
		time.Sleep(time.Second)
	}
}

// followResponse starts a streamed response.
func (a *testInstance) followResponse(t *testing.T, path, cookie string) io.ReadCloser {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, a.URL+path, nil)
	mustSucceed(t, err)
	r.Header.Set("Cookie", cookie)
	res, err := http.DefaultClient.Do(r)
	mustSucceed(t, err)
	if res.StatusCode != http.StatusOK {
		t.Fatalf("%s answers %d", path, res.StatusCode)
	}
	return res.Body
}

// fetchStatus returns the status of a request with the instance's key.
func (a *testInstance) fetchStatus(t *testing.T, path string) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, a.URL+path, nil)
	mustSucceed(t, err)
	r.Header.Set("Authorization", "Bearer "+bootstrapKey)
	res, err := http.DefaultClient.Do(r)
	mustSucceed(t, err)
	_ = res.Body.Close()
	return res.StatusCode
}

package middleware_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"

	"munadi/appliance/httpserver/middleware"
)

// TestLargeBodies checks that an organization has four large bodies in memory at once, that its next one waits, and
// that neither small ones nor those of others do.
func TestLargeBodies(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		bodies := middleware.NewLargeBodies()
		read := func(orgID string, size int) (done chan int, release func()) {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", bytes.NewReader(make([]byte, size)))
			release = bodies.HoldBody(r, orgID)
			done = make(chan int, 1)
			go func() {
				b, _ := io.ReadAll(r.Body)
				done <- len(b)
			}()
			synctest.Wait()
			return done, release
		}
		var releases []func()
		for range 4 {
			done, release := read("a", 1<<20)
			if n := <-done; n != 1<<20 {
				t.Errorf("%d bytes were read", n)
			}
			releases = append(releases, release)
		}
		waiting, last := read("a", 65<<10)
		small, _ := read("a", 64<<10-1)
		other, free := read("b", 1<<20)
		if len(waiting) != 0 || len(small) != 1 || len(other) != 1 {
			t.Errorf("read: the fifth %d, a small one %d, another organization's %d", len(waiting), len(small), len(other))
		}
		releases[0]()
		releases[0]() // as a handler that releases twice
		synctest.Wait()
		if len(waiting) != 1 {
			t.Error("the fifth waits although one has ended")
		}
		for _, release := range append(releases, last, free) {
			release()
		}
	})
}

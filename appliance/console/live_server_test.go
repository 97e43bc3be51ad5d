package console_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"munadi/store/account"
)

// aServer is a bench behind a real connection, for what is sent while it happens.
type aServer struct{ *httptest.Server }

func (b *aBench) serve(t *testing.T) aServer {
	t.Helper()
	s := httptest.NewServer(b.echo)
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return aServer{s}
}

// open begins to read an answer.
func (s aServer) open(t *testing.T, role account.UserRole, path string) io.Reader {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.AddCookie(&http.Cookie{Name: "munadi_session", Value: string(role)})
	answer, err := s.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = answer.Body.Close() })
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s", path, answer.Status)
	}
	return answer.Body
}

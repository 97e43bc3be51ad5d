package console_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"munadi/store/account"
)

// benchServer is a bench behind a real connection, for streamed responses.
type benchServer struct{ *httptest.Server }

func (b *consoleBench) startServer(t *testing.T) benchServer {
	t.Helper()
	s := httptest.NewServer(b.echo)
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return benchServer{s}
}

// openStream starts to read a streamed response.
func (s benchServer) openStream(t *testing.T, role account.UserRole, path string) io.Reader {
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

package llm

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"
)

// FuzzRead: whatever an endpoint answers, it is words or an error.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"choices":[{"message":{"content":"نعم"}}]}`))
	f.Add([]byte(`{"choices":[{"message":null},7]}`))
	f.Add([]byte(`{"choices":{}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		text, err := read(&http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(bytes.NewReader(body))})
		if err == nil && strings.TrimSpace(text) == "" {
			t.Errorf("%q is an answer without a word", body)
		}
	})
}

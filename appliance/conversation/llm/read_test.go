package llm

import (
	"bytes"
	"strings"
	"testing"
)

// FuzzRead checks that for any stream of an endpoint the joined pieces are the answer, or there is an error.
func FuzzRead(f *testing.F) {
	f.Add([]byte("data: {\"choices\":[{\"delta\":{\"content\":\"نعم\"}}]}\n\ndata: [DONE]\n"))
	f.Add([]byte("data:{\"choices\":[{\"delta\":null},7]}\r\n"))
	f.Add([]byte(`{"choices":{}}`))
	f.Add([]byte(`data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"t","arguments":"{}"}},{"index":-1,"function":{"arguments":{}}}]}}]}`))
	f.Add([]byte("event: x\n: c\ndata: {\"error\":null}\n"))
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, read := range []func() (string, string, error){
			func() (string, string, error) {
				var joined strings.Builder
				whole, err := readStream(bytes.NewReader(body), true, func(p string) error { joined.WriteString(p); return nil })
				return whole.Text, joined.String(), err
			},
			func() (string, string, error) {
				var joined strings.Builder
				whole, err := readWhole(bytes.NewReader(body), func(p string) error { joined.WriteString(p); return nil })
				return whole.Text, joined.String(), err
			},
		} {
			if whole, joined, err := read(); err == nil && whole != joined {
				t.Errorf("%q is answered %q in pieces %q", body, whole, joined)
			}
		}
	})
}

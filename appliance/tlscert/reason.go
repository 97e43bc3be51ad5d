package tlscert

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"sync"
)

// maxReason is how much of a CA's response is parsed, in bytes.
const maxReason = 64 << 10

// acmeProblems keeps the CA's last problem document (RFC 8555, 6.7): autocert's errors do not contain it.
type acmeProblems struct {
	mu   sync.Mutex
	last string
}

// RoundTrip implements [http.RoundTripper].
func (r *acmeProblems) RoundTrip(q *http.Request) (*http.Response, error) {
	res, err := http.DefaultTransport.RoundTrip(q)
	if err != nil || res.Header.Get("Content-Type") == "application/pem-certificate-chain" {
		return res, err
	}
	head, err := io.ReadAll(io.LimitReader(res.Body, maxReason))
	if err != nil {
		_ = res.Body.Close() // report the first error
		return nil, err
	}
	r.findProblem(head)
	res.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(head), res.Body), res.Body}
	return res, nil
}

// findProblem finds a problem in a response: the response itself, or the error of one of an authorization's
// challenges.
func (r *acmeProblems) findProblem(body []byte) {
	type problem struct{ Detail string }
	var said struct {
		problem
		Error      problem
		Challenges []struct{ Error problem }
	}
	if json.Unmarshal(body, &said) != nil {
		return
	}
	all := []string{said.Detail, said.Error.Detail}
	for _, c := range said.Challenges {
		all = append(all, c.Error.Detail)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, detail := range all {
		if detail != "" {
			r.last = detail
		}
	}
}

// takeProblem returns the last problem and clears it.
func (r *acmeProblems) takeProblem() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer func() { r.last = "" }()
	return r.last
}

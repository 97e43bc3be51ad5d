package tlscert

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"sync"
)

// maxReason is how much of an authority's answer is looked at, in bytes.
const maxReason = 64 << 10

// acmeProblems keeps what the authority last said was wrong (RFC 8555, 6.7): autocert tells only that nothing worked.
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
		_ = res.Body.Close() // the first error is the one to report
		return nil, err
	}
	r.findProblem(head)
	res.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(head), res.Body), res.Body}
	return res, nil
}

// findProblem finds a problem in an answer: the answer itself, or the error of one of an authorization's challenges.
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

// takeProblem is what was last said, once.
func (r *acmeProblems) takeProblem() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer func() { r.last = "" }()
	return r.last
}

package modelhub

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const (
	maxRedirects    = 5
	responseTimeout = time.Minute // until an answer's headers are there
	maxWait         = time.Minute // that a hub's Retry-After is obeyed
)

// UnreachableError means that the hub is unreachable, as on a machine without a network.
type UnreachableError struct {
	Address string
	Err     error
}

func (e *UnreachableError) Error() string {
	return fmt.Sprintf("the model hub %s can't be reached: %v", e.Address, e.Err)
}

func (e *UnreachableError) Unwrap() error { return e.Err }

// sendRequest sends a GET, with a Range from a byte on. It follows no redirect. Only the hub gets the access token.
func (h *Hub) sendRequest(ctx context.Context, address string, from int64, toHub bool) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", "munadi")
	req.Header.Set("Accept-Encoding", "identity") // sizes and checksums are those of the file
	if from > 0 {
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-", from))
	}
	if h.Token != "" && toHub {
		req.Header.Set("Authorization", "Bearer "+h.Token)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(responseTimeout, func() { cancel(errors.New("no answer within a minute")) })
	transport := h.Transport
	if transport == nil {
		transport = http.DefaultTransport
	}
	res, err := transport.RoundTrip(req.WithContext(ctx))
	timer.Stop()
	if cause := context.Cause(ctx); cause != nil {
		if err == nil {
			_ = res.Body.Close()
		}
		err = cause
	}
	if err != nil {
		cancel(nil)
		return nil, &UnreachableError{Address: hostOf(address), Err: err}
	}
	res.Body = &cancelledBody{res.Body, cancel}
	return res, nil
}

// followRedirects is sendRequest with the token; it follows redirects that stay on the hub: a renamed model has one.
func (h *Hub) followRedirects(ctx context.Context, address string) (*http.Response, error) {
	for range maxRedirects {
		res, err := h.sendRequest(ctx, address, 0, true)
		if err != nil || res.StatusCode < 300 || res.StatusCode >= 400 {
			return res, err
		}
		_ = res.Body.Close()
		if address, err = nextAddress(address, res.Header.Get("Location")); err != nil {
			return nil, err
		}
		if !sameOrigin(address, h.Base) {
			return nil, newFault(HubFault, "the hub leads to %s, which is not the hub; name it by --model-hub", hostOf(address))
		}
	}
	return nil, newFault(HubFault, "more than %d redirects", maxRedirects)
}

// cancelledBody frees its request's context when it is closed.
type cancelledBody struct {
	io.ReadCloser
	cancel context.CancelCauseFunc
}

func (b *cancelledBody) Close() error {
	b.cancel(nil)
	return b.ReadCloser.Close()
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "(an address that can't be read)"
	}
	return u.Scheme + "://" + u.Host
}

// resolvedFile is the response with a file's content, from the hub or its storage, and the file's metadata.
type resolvedFile struct {
	file File
	body io.ReadCloser
	from int64 // where body begins in the file
}

// resolveFile asks for a file from a byte on and follows redirects to storage. A hub that ignores the range gives the
// file from its beginning.
func (h *Hub) resolveFile(ctx context.Context, m *Model, name string, from int64) (*resolvedFile, error) {
	r := &resolvedFile{file: File{Name: name}}
	address := h.FileAddress(m, name)
	for range maxRedirects {
		res, err := h.sendRequest(ctx, address, from, sameOrigin(address, h.Base))
		if err != nil {
			return nil, err
		}
		if err := r.file.readFileHeaders(res.Header, m); err != nil {
			return nil, errors.Join(err, res.Body.Close())
		}
		if res.StatusCode >= 300 && res.StatusCode < 400 {
			_ = res.Body.Close()
			if address, err = nextAddress(address, res.Header.Get("Location")); err != nil {
				return nil, err
			}
			continue
		}
		if err := h.explainRefusal(res, m.Name, m.Revision); err != nil {
			return nil, errors.Join(err, res.Body.Close())
		}
		r.body = res.Body
		if err := r.readContentRange(res, from); err != nil {
			return nil, errors.Join(err, res.Body.Close())
		}
		return r, nil
	}
	return nil, newFault(HubFault, "%s: more than %d redirects", name, maxRedirects)
}

// readContentRange determines which part of the file an answer holds, and its size if no header gave it.
func (r *resolvedFile) readContentRange(res *http.Response, from int64) error {
	switch res.StatusCode {
	case http.StatusOK:
		if r.file.Size == 0 {
			r.file.Size = res.ContentLength
		}
		return nil
	case http.StatusPartialContent:
		begin, _, _ := strings.Cut(strings.TrimPrefix(res.Header.Get("Content-Range"), "bytes "), "-")
		if at, err := strconv.ParseInt(begin, 10, 64); err != nil || at != from {
			return newFault(HubFault,
				"%s: asked for bytes from %d on, got %q", r.file.Name, from, res.Header.Get("Content-Range"))
		}
		r.from = from
		return nil
	}
	return newFault(HubFault, "%s: the hub's storage answers %s", r.file.Name, res.Status)
}

var (
	isSHA256 = regexp.MustCompile(`^[0-9a-f]{64}$`)
	isGitID  = regexp.MustCompile(`^[0-9a-f]{40}$`)
)

// readFileHeaders reads the hub's headers about a file: they are on the redirect, or on the answer of a small file. The
// storage's headers are used only where the hub's are missing.
func (f *File) readFileHeaders(header http.Header, m *Model) error {
	if commit := header.Get("X-Repo-Commit"); commit != "" && commit != m.Revision {
		return newFault(HubFault, "%s: the hub gives revision %s instead of %s", f.Name, sanitizeText(commit), m.Revision)
	}
	if n, err := strconv.ParseInt(header.Get("X-Linked-Size"), 10, 64); err == nil && n > 0 && f.Size == 0 {
		f.Size = n
	}
	linked := strings.ToLower(strings.Trim(strings.TrimPrefix(header.Get("X-Linked-Etag"), "W/"), `"`))
	if isSHA256.MatchString(linked) && f.SHA256 == "" {
		f.SHA256 = linked
	}
	own := strings.ToLower(strings.Trim(strings.TrimPrefix(header.Get("Etag"), "W/"), `"`))
	if isGitID.MatchString(own) && f.SHA256 == "" && f.gitID == "" {
		f.gitID = own
	}
	return nil
}

// nextAddress is where a redirect leads. From an encrypted address it must not lead to one that isn't.
func nextAddress(from, location string) (string, error) {
	base, err := url.Parse(from)
	if err != nil {
		return "", err
	}
	next, err := base.Parse(location)
	if err != nil || location == "" || next.Host == "" || next.Scheme != "http" && next.Scheme != "https" {
		return "", newFault(HubFault, "the hub redirects to %q, which is no address", sanitizeText(location))
	}
	if base.Scheme == "https" && next.Scheme == "http" {
		return "", newFault(HubFault, "the hub redirects to %s, which is not encrypted", hostOf(next.String()))
	}
	return next.String(), nil
}

// sameOrigin reports whether an address is the hub's own: the token must not go elsewhere.
func sameOrigin(address, hub string) bool {
	a, errA := url.Parse(address)
	b, errB := url.Parse(hub)
	return errA == nil && errB == nil && a.Scheme == b.Scheme && a.Host == b.Host
}

// busyError holds the hub's Retry-After.
type busyError struct{ wait time.Duration }

func (e *busyError) Error() string {
	return fmt.Sprintf("the hub asks to wait %d s; try again then", int(e.wait.Seconds()))
}

// explainRefusal turns a failure status into an error for people; nil for success.
func (h *Hub) explainRefusal(res *http.Response, name, revision string) error {
	if res.StatusCode < 300 {
		return nil
	}
	code := res.Header.Get("X-Error-Code")
	switch {
	case res.StatusCode == http.StatusTooManyRequests || res.StatusCode == http.StatusServiceUnavailable:
		seconds, err := strconv.Atoi(res.Header.Get("Retry-After"))
		if err != nil || seconds < 1 {
			seconds = 5
		}
		return &FaultError{HubBusy, &busyError{time.Duration(seconds) * time.Second}}
	case code == "GatedRepo":
		return newFault(Gated,
			"%w: accept its conditions at %s, then give a token of that account by HF_TOKEN or --token-file",
			ErrGated, h.urlOf("/"+name))
	case code == "RevisionNotFound":
		return newFault(NoRevision, "%s has no revision %s", name, revision)
	case code == "EntryNotFound":
		return newFault(NoRevision, "%s has no such file at revision %s any more", name, revision)
	case res.StatusCode == http.StatusUnauthorized || res.StatusCode == http.StatusForbidden:
		return newFault(NoModel,
			"the hub refuses %s (%s): there is no such model, or it is private and the token (HF_TOKEN or "+
				"--token-file) is missing or not allowed to read it", name, res.Status)
	case res.StatusCode == http.StatusNotFound:
		return newFault(NoModel, "the hub has no model %s", name)
	}
	if res.StatusCode >= http.StatusInternalServerError {
		return newFault(HubFault, "%w: it answers %s", errServer, res.Status)
	}
	return newFault(HubFault, "the hub answers %s", res.Status)
}

// errServer is a fault of the hub or its storage, which may go away.
var errServer = errors.New("the hub has a fault")

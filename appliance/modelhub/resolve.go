package modelhub

import (
	"context"
	"errors"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
)

// errRange is the error of a storage that does not give the rest of a file: it is fetched whole.
var errRange = errors.New("the storage does not give the missing bytes")

// resolvedFile is the response with a file's content, from the hub or its storage, and the file's metadata.
type resolvedFile struct {
	file File
	body io.ReadCloser
	from int64 // where body begins in the file
}

// resolveFile requests a file from a byte on and follows redirects to storage. A hub that ignores the range sends the
// whole file.
func (h *Hub) resolveFile(ctx context.Context, m *Model, name string, from int64) (*resolvedFile, error) {
	r := &resolvedFile{file: File{Name: name}}
	address := h.fileAddress(m, name)
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
		if res.StatusCode == http.StatusRequestedRangeNotSatisfiable {
			return nil, errors.Join(newFault(HubFault, "%s: %w: %s", name, errRange, res.Status), res.Body.Close())
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
			return newFault(HubFault, "%s: %w: those from %d on were requested, %q came",
				r.file.Name, errRange, from, res.Header.Get("Content-Range"))
		}
		r.from = from
		return nil
	}
	return newFault(HubFault, "%s: the hub's storage responded %s", r.file.Name, res.Status)
}

var (
	isSHA256 = regexp.MustCompile(`^[0-9a-f]{64}$`)
	isGitID  = regexp.MustCompile(`^[0-9a-f]{40}$`)
)

// readFileHeaders reads the hub's headers about a file: they are on the redirect, or on the answer of a small file. The
// storage's headers are used only where the hub's are missing.
func (f *File) readFileHeaders(header http.Header, m *Model) error {
	if commit := header.Get("X-Repo-Commit"); commit != "" && commit != m.Revision {
		return newFault(HubFault, "%s: the hub returned revision %s instead of %s", f.Name, sanitizeText(commit), m.Revision)
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

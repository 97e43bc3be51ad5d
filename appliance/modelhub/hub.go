// Package modelhub fetches speech models and neural voices from a model hub, or a mirror of one: it finds the
// importable files of a repository, pins its revision, and downloads them with resume after a broken connection,
// checked against the hub's SHA-256. It installs nothing; the command line and the console pass the files to
// modelinstall.
//
//	hub.go       a repository's revision, licence and files
//	choose.go    selects the files of a model; the list of models known to work
//	voice.go     the same for a neural voice, and its licence
//	request.go   requests, redirects, refusals
//	resolve.go   a file at the hub or its storage
//	download.go  downloads of files, resumed and verified
//	partial.go   a file that is being downloaded
//
// A hub's responses are untrusted: bodies are bounded, file names are taken from a fixed list, and a token is sent to
// the hub only, never to the storage that it redirects to.
package modelhub

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"munadi/store/excerpt"
)

// Hub is a model hub.
type Hub struct {
	Base      string            // its address, such as https://huggingface.co
	Token     string            // empty: none
	Transport http.RoundTripper // nil: http.DefaultTransport
	Pause     time.Duration     // after a connection that broke; 0: 2 s
}

// OpenHub returns the client of the hub at base, with an access token if token is not empty.
func OpenHub(base, token string, transport http.RoundTripper) (*Hub, error) {
	token = strings.TrimSpace(token)
	if strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return nil, errors.New("the token (HF_TOKEN or --token-file) must be one line of ASCII characters without spaces")
	}
	return &Hub{Base: base, Token: token, Transport: transport}, nil
}

// Model is one revision of a repository, and its files that make a model.
type Model struct {
	Name     string // organization/name
	Revision string // the commit
	License  string // as the repository says; may be empty
	Card     string // address of the page that describes it
	Files    []File
}

// File is one file of a model.
type File struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256,omitempty"` // empty for small files without one on the hub
	gitID  string // SHA-1 of a small file as git counts it
}

// Size returns the size of all files in bytes.
func (m Model) Size() int64 {
	var sum int64
	for _, f := range m.Files {
		sum += f.Size
	}
	return sum
}

var (
	validName     = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,95}/[A-Za-z0-9][A-Za-z0-9._-]{0,95}$`)
	validRevision = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/-]{0,199}$`)
	validCommit   = regexp.MustCompile(`^[0-9a-f]{7,64}$`)
)

// ParseName splits NAME@REVISION. A name without an organization must be one of the known models'.
func ParseName(text string) (name, revision string, err error) {
	name, revision, _ = strings.Cut(text, "@")
	if !strings.Contains(name, "/") {
		for _, k := range KnownModels() {
			if k.shortName() == name {
				name = k.Name
			}
		}
	}
	if !validName.MatchString(name) {
		return "", "", newFault(BadName,
			"%q is not a model name: use ORGANIZATION/NAME, or a name that munadi model list shows", text)
	}
	if revision != "" && (!validRevision.MatchString(revision) || strings.Contains(revision, "..")) {
		return "", "", newFault(BadRevision, "%q is not a revision: use a commit, branch or tag", revision)
	}
	return name, revision, nil
}

// maxAnswer bounds a repository's description in bytes.
const maxAnswer = 8 << 20

// Find requests a repository's revision (empty: its main one) and the sizes and checksums of a model's files. The error
// names the missing file, or the hub's refusal.
func (h *Hub) Find(ctx context.Context, name, revision string) (*Model, error) {
	return h.findFiles(ctx, name, revision, func(names []string) ([]string, error) {
		if chosen := chooseFiles(names); len(chosen) > 0 {
			return chosen, nil
		}
		return nil, newFault(NothingToImport,
			"%s has no files that can be imported: neither one .nemo file nor an ONNX export "+
				"(encoder-model.onnx and vocab.txt); it has %s", name, listNames(names))
	})
}

// fileChooser selects the files to download of those that a repository has.
type fileChooser func(names []string) ([]string, error)

// findFiles is Find with a choice of files; it waits and tries again after 429 and 503.
func (h *Hub) findFiles(ctx context.Context, name, revision string, choose fileChooser) (*Model, error) {
	for range maxFailures {
		m, err := h.findOnce(ctx, name, revision, choose)
		var busy *busyError
		if !errors.As(err, &busy) || busy.wait > maxWait {
			return m, err
		}
		if err := sleepContext(ctx, busy.wait); err != nil {
			return nil, err
		}
	}
	return nil, newFault(HubBusy, "the hub is busy; try again later")
}

// repositoryBody is the hub's description of a repository.
type repositoryBody struct {
	ID       string `json:"id"` // differs from the requested name if the repository was renamed
	SHA      string `json:"sha"`
	Siblings []struct {
		Name string `json:"rfilename"`
	} `json:"siblings"`
	CardData struct {
		License any `json:"license"`
	} `json:"cardData"`
}

// findOnce is findFiles without the retries.
func (h *Hub) findOnce(ctx context.Context, name, revision string, choose fileChooser) (*Model, error) {
	b, err := h.readRepository(ctx, name, revision)
	if err != nil {
		return nil, err
	}
	if validName.MatchString(b.ID) {
		name = b.ID
	}
	m := &Model{Name: name, Revision: b.SHA, Card: h.urlOf("/" + name)}
	if text, ok := b.CardData.License.(string); ok {
		m.License = sanitizeText(text)
	}
	var names []string
	for _, s := range b.Siblings {
		names = append(names, s.Name)
	}
	chosen, err := choose(names)
	if err != nil {
		return nil, err
	}
	for _, file := range chosen {
		f, err := h.describeFile(ctx, m, file)
		if err != nil {
			return nil, err
		}
		m.Files = append(m.Files, f)
	}
	return m, nil
}

// readRepository requests the description of a revision (empty: the main one) of a repository.
func (h *Hub) readRepository(ctx context.Context, name, revision string) (b repositoryBody, err error) {
	path := "/api/models/" + name
	if revision != "" {
		path += "/revision/" + url.PathEscape(revision)
	}
	res, err := h.followRedirects(ctx, h.urlOf(path))
	if err != nil {
		return b, err
	}
	defer func() { _ = res.Body.Close() }()
	if err := h.explainRefusal(res, name, revision); err != nil {
		return b, err
	}
	if err := json.NewDecoder(io.LimitReader(res.Body, maxAnswer)).Decode(&b); err != nil {
		return b, newFault(HubFault, "the hub's response about %s cannot be parsed: %w", name, err)
	}
	if !validCommit.MatchString(b.SHA) {
		return b, newFault(HubFault, "the hub's response has no commit of %s", name)
	}
	return b, nil
}

// describeFile requests the size and checksum of a file.
func (h *Hub) describeFile(ctx context.Context, m *Model, name string) (File, error) {
	r, err := h.resolveFile(ctx, m, name, 0)
	if err != nil {
		return File{}, err
	}
	_ = r.body.Close()
	if r.file.Size <= 0 {
		return File{}, newFault(HubFault, "the hub does not report the size of %s", name)
	}
	if r.file.Size > maxFileSize {
		return File{}, newFault(
			HubFault, "the hub reports %d bytes for %[2]s, which is too large for a model", r.file.Size, name)
	}
	if r.file.SHA256 == "" && r.file.gitID == "" && r.file.Size > maxUnchecked {
		return File{}, newFault(HubFault, "the hub does not report the SHA-256 of %s, so that it cannot be verified", name)
	}
	return r.file, nil
}

// maxFileSize is the largest accepted size of a file, in bytes: sums of several must not overflow.
const maxFileSize = 1 << 40

// maxUnchecked is the largest size in bytes of a file without a checksum: a vocabulary, not weights.
const maxUnchecked = 32 << 20

// urlOf returns the URL of a path on the hub.
func (h *Hub) urlOf(path string) string { return strings.TrimRight(h.Base, "/") + path }

// fileAddress returns the URL of a file.
func (h *Hub) fileAddress(m *Model, file string) string {
	return h.urlOf("/" + m.Name + "/resolve/" + m.Revision + "/" + file)
}

// sanitizeText removes control characters from an untrusted text and truncates it.
func sanitizeText(text string) string {
	return excerpt.TruncateText(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, text), 80)
}

// listNames joins the first eight names for a message.
func listNames(names []string) string {
	if len(names) == 0 {
		return "no file"
	}
	more := ""
	if len(names) > 8 {
		names, more = names[:8], ", …"
	}
	return sanitizeText(strings.Join(names, ", ")) + more
}

// ErrGated is returned for a model whose owner requires accepting its conditions.
var ErrGated = errors.New("the model is gated")

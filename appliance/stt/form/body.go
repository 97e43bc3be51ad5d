package form

import (
	"encoding/hex"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"regexp"
	"strings"
)

// body is what a request carried, before any of it is understood.
type body struct {
	values map[string][]string
	files  map[string]*Upload
	broken map[string]bool // file fields that break off
	faults Invalid         // of the body as a whole
}

func (b *body) close() {
	for _, u := range b.files {
		_ = u.Close() // the request is refused already; a nameless file goes with its descriptor
	}
}

// errStop ends the reading of parts: what was found wrong is among the faults.
var errStop = errors.New("no more parts can be read")

// read takes the body apart. Only fields that the struct names are kept; the others are read past.
func (d Decoder) read(r *http.Request, fields []field) (*body, error) {
	b := &body{values: map[string][]string{}, files: map[string]*Upload{}, broken: map[string]bool{}}
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		kind = ""
	}
	src := &source{r: r.Body, limited: d.MaxFile > 0, left: d.MaxFile + slack}
	switch {
	case kind == "multipart/form-data" && params["boundary"] != "":
		err = d.parts(b, multipart.NewReader(src, params["boundary"]), fields)
	case kind == "application/x-www-form-urlencoded":
		err = b.urlencoded(src)
	default:
		err = nil
	}
	src.drain()
	if src.err != nil { // package multipart wraps it out of sight
		err = src.err
	}
	if err != nil && !errors.Is(err, errStop) {
		b.close()
		return nil, err
	}
	return b, nil
}

func (d Decoder) parts(b *body, parts *multipart.Reader, fields []field) error {
	for n := 0; ; n++ {
		part, err := parts.NextRawPart()
		if err == io.EOF { // bare after the closing boundary, wrapped when there was none
			return nil
		}
		if err != nil && n == 0 {
			return errStop // not multipart at all, so it has no file
		}
		if err != nil {
			return b.stop(brokenBody())
		}
		if n == maxParts {
			return b.stop(tooManyParts())
		}
		if err := d.part(b, part, fields); err != nil {
			return err
		}
	}
}

func (b *body) stop(v Violation) error {
	b.faults = append(b.faults, v)
	return errStop
}

// part reads one part into its field. A file where text belongs is read as text, as a browser's Blob would be.
func (d Decoder) part(b *body, part *multipart.Part, fields []field) error {
	as := disposition(part)
	f := find(fields, as.field)
	if f == nil {
		if _, err := io.Copy(io.Discard, part); err != nil {
			return b.stop(brokenBody())
		}
		return nil
	}
	if f.kind == isUpload && as.isFile {
		return d.file(b, part, as)
	}
	return b.text(part, as.field)
}

func (d Decoder) file(b *body, part *multipart.Part, as named) error {
	u, err := d.spool(part)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		b.broken[as.field] = true
		return errStop
	}
	if err != nil {
		return err
	}
	if as.filename == "" && u.Size == 0 { // a browser's untouched file input
		return u.Close()
	}
	u.Filename, u.ContentType = as.filename, part.Header.Get("Content-Type")
	old := b.files[as.field]
	b.files[as.field] = u
	delete(b.values, as.field)
	return old.Close()
}

func (b *body) text(part *multipart.Part, name string) error {
	value, err := io.ReadAll(io.LimitReader(part, maxField+1))
	if err != nil {
		return b.stop(brokenBody())
	}
	if len(value) > maxField {
		return b.stop(fieldTooLong(name))
	}
	b.values[name] = append(b.values[name], string(value))
	old := b.files[name]
	delete(b.files, name)
	return old.Close()
}

// urlencoded leaves alone what is no escape, as browsers and Starlette do.
func (b *body) urlencoded(src *source) error {
	text, err := io.ReadAll(io.LimitReader(src, maxField+1))
	if err != nil {
		return err
	}
	if len(text) > maxField {
		return ErrTooLarge
	}
	for pair := range strings.SplitSeq(string(text), "&") {
		name, value, _ := strings.Cut(pair, "=")
		name = unescape(name)
		b.values[name] = append(b.values[name], unescape(value))
	}
	return nil
}

var escape = regexp.MustCompile(`(?i)%[0-9a-f]{2}`)

func unescape(s string) string {
	s = escape.ReplaceAllStringFunc(strings.ReplaceAll(s, "+", " "), func(e string) string {
		b, _ := hex.DecodeString(e[1:]) // two hexadecimal digits, as the pattern has it
		return string(b)
	})
	return strings.ToValidUTF8(s, "\uFFFD")
}

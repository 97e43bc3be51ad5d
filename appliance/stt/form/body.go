package form

import (
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
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
	name := part.FormName()
	f := find(fields, name)
	if f == nil {
		if _, err := io.Copy(io.Discard, part); err != nil {
			return b.stop(brokenBody())
		}
		return nil
	}
	if f.kind == isUpload && hasFilename(part) {
		return d.file(b, part, name)
	}
	return b.text(part, name)
}

func (d Decoder) file(b *body, part *multipart.Part, name string) error {
	u, err := d.spool(part)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		b.broken[name] = true
		return errStop
	}
	if err != nil {
		return err
	}
	if part.FileName() == "" && u.Size == 0 { // a browser's untouched file input
		return u.Close()
	}
	u.Filename, u.ContentType = part.FileName(), part.Header.Get("Content-Type")
	old := b.files[name]
	b.files[name] = u
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
	return nil
}

// urlencoded keeps the pairs that can be read when some cannot, as browsers and Starlette do.
func (b *body) urlencoded(src *source) error {
	text, err := io.ReadAll(io.LimitReader(src, maxField+1))
	if err != nil {
		return err
	}
	if len(text) > maxField {
		return ErrTooLarge
	}
	b.values, _ = url.ParseQuery(string(text))
	return nil
}

// hasFilename: Starlette's test for a file is that the parameter is there, even when it is empty.
func hasFilename(part *multipart.Part) bool {
	_, params, err := mime.ParseMediaType(part.Header.Get("Content-Disposition"))
	_, ok := params["filename"]
	return err == nil && ok
}

package multipartform

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"regexp"
	"strings"
)

// formBody is the parsed body before its fields are bound and validated.
type formBody struct {
	values map[string][]string
	files  map[string]*UploadedFile
	broken map[string]bool // file fields with a truncated part
	faults ValidationError // violations of the body as a whole
	unread bool            // parts were left unread, so that a field that was not found may be among them
	texts  int             // bytes of all text fields
}

func (b *formBody) removeFiles() {
	for _, u := range b.files {
		_ = u.Close() // the request is refused already; an unlinked temporary file goes with its descriptor
	}
}

// errStop ends the parsing of parts after a violation, which is in formBody.faults.
var errStop = errors.New("no more parts can be read")

// readBody parses the body, multipart or urlencoded. Only fields that the struct names are kept; the others are
// skipped.
func (d FormDecoder) readBody(r *http.Request, fields []formField) (*formBody, error) {
	b := &formBody{values: map[string][]string{}, files: map[string]*UploadedFile{}, broken: map[string]bool{}}
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		kind = ""
	}
	src := &bodyReader{r: r.Body, limited: d.MaxFile > 0, left: d.MaxFile + slack}
	switch {
	case kind == "multipart/form-data" && params["boundary"] != "":
		err = d.readParts(b, multipart.NewReader(src, params["boundary"]), fields)
	case kind == "application/x-www-form-urlencoded":
		err = b.readURLEncoded(src)
		b.dropUploads(fields) // a body that is not multipart has no file
	default:
		err = nil
	}
	src.drainBody()
	if src.err != nil { // package multipart wraps the cause
		err = src.err
	}
	if err != nil && !errors.Is(err, errStop) {
		b.removeFiles()
		return nil, err
	}
	return b, nil
}

func (d FormDecoder) readParts(b *formBody, parts *multipart.Reader, fields []formField) error {
	for n := 0; ; n++ {
		part, err := parts.NextRawPart()
		if err == io.EOF { // bare after the closing boundary, wrapped when there was none
			return nil
		}
		if n == 0 && errors.Is(err, io.EOF) {
			return errStop // not multipart, so it has no file
		}
		if err != nil {
			return b.stopReading(brokenBody())
		}
		if n == maxParts {
			return b.stopReading(tooManyParts())
		}
		if err := d.readPart(b, part, fields); err != nil {
			return err
		}
	}
}

func (b *formBody) stopReading(v FieldViolation) error {
	b.faults = append(b.faults, v)
	b.unread = true
	return errStop
}

// readPart reads one part into its field. A file part where the struct has text is read as text, as for a browser's
// Blob.
func (d FormDecoder) readPart(b *formBody, part *multipart.Part, fields []formField) error {
	as := parseDisposition(part)
	f := findField(fields, as.field)
	if f == nil {
		if _, err := io.Copy(io.Discard, part); err != nil {
			return b.stopReading(brokenBody())
		}
		return nil
	}
	if f.kind == isUpload && as.isFile {
		return d.readFile(b, part, as)
	}
	return b.readText(part, as.field)
}

func (d FormDecoder) readFile(b *formBody, part *multipart.Part, as partDisposition) error {
	u, err := d.SpoolUpload(part)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		b.broken[as.field] = true
		return errStop
	}
	if err != nil {
		return err
	}
	if as.filename == "" && u.Size == 0 { // a browser's file input in which no file was chosen
		return u.Close()
	}
	u.Filename = as.filename
	old := b.files[as.field]
	b.files[as.field] = u
	delete(b.values, as.field)
	return old.Close()
}

func (b *formBody) readText(part *multipart.Part, name string) error {
	value, err := io.ReadAll(io.LimitReader(part, maxField+1))
	if err != nil {
		return b.stopReading(brokenBody())
	}
	if len(value) > maxField {
		return b.stopReading(fieldTooLong(name))
	}
	if b.texts += len(value); b.texts > maxTexts {
		return b.stopReading(textsTooLong())
	}
	b.values[name] = append(b.values[name], string(value))
	old := b.files[name]
	delete(b.files, name)
	return old.Close()
}

// readURLEncoded parses a urlencoded body; a percent sign that begins no valid escape is kept as it is, as browsers
// and Starlette do.
func (b *formBody) readURLEncoded(src *bodyReader) error {
	text, err := io.ReadAll(io.LimitReader(src, maxField+1))
	if err != nil {
		return err
	}
	if len(text) > maxField {
		return ErrTooLarge
	}
	for pair := range strings.SplitSeq(string(text), "&") {
		name, value, _ := strings.Cut(pair, "=")
		name = unescapeComponent(name)
		b.values[name] = append(b.values[name], unescapeComponent(value))
	}
	return nil
}

// dropUploads removes the texts in place of files, whose fields then count as missing.
func (b *formBody) dropUploads(fields []formField) {
	for _, f := range fields {
		if f.kind == isUpload {
			delete(b.values, f.name)
		}
	}
}

var escape = regexp.MustCompile(`(?i)%[0-9a-f]{2}`)

func unescapeComponent(s string) string {
	s = escape.ReplaceAllStringFunc(strings.ReplaceAll(s, "+", " "), func(e string) string {
		b, _ := hex.DecodeString(e[1:]) // two hexadecimal digits, as the pattern has it
		return string(b)
	})
	return strings.ToValidUTF8(s, "\uFFFD")
}

// bodyReader enforces the size limit of a body and records why reading ended.
type bodyReader struct {
	r       io.Reader
	limited bool
	left    int64 // bytes still allowed, when limited
	err     error // ErrTooLarge or ErrBroken
}

func (s *bodyReader) Read(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.r.Read(p)
	s.left -= int64(n)
	if s.limited && s.left < 0 {
		s.err = ErrTooLarge
		return 0, s.err
	}
	if err != nil && !errors.Is(err, io.EOF) {
		s.err = fmt.Errorf("%w: %w", ErrBroken, err)
		return n, s.err
	}
	return n, err
}

// drainBody reads the epilogue after the closing boundary: only when a body has been read to its end can net/http
// notice a client that disconnects later. Its error stays in s.err.
func (s *bodyReader) drainBody() {
	_, _ = io.CopyBuffer(io.Discard, onlyReader{s}, make([]byte, copySize))
}

// onlyReader hides WriterTo and similar methods, which would choose their own buffers.
type onlyReader struct{ io.Reader }

// Package multipartform binds multipart forms, urlencoded forms and query strings to tagged structs and reports all
// violations at once (422), compatible with FastAPI and Pydantic v2: same types, same messages, same lenient spellings
// of numbers and booleans. It enforces the upload size limit and spools uploads to disk.
//
// It handles HTTP bodies and struct tags, independent of audio, routes and status codes. A handler declares a struct,
// calls DecodeForm, and closes the uploads it got. Tags of a field:
//
//	form:"name"            name in the body         header:"name"      name among the headers
//	query:"name"           name in the query of the URL, for DecodeQuery
//	default:"v"            used when the field is absent or empty; a pointer without it stays nil
//	required:"true"        absent is a violation    literal:"a|b"      one of these (literal_error)
//	enum:"a|b"             one of these (enum)      ge gt le lt:"n"    range of a number
//	minlen maxlen:"n"      length of a string       pattern:"regexp"   shape of a string
//
// The fields of an embedded struct are fields of the body, by their names in JSON.
//
// Types: *UploadedFile, string, bool, int, float64, pointers to the last four, []string.
//
// Choices that the contract leaves open, each as in FastAPI: of several values of one field the last counts; an empty
// value is null; a part with a file name is a file, one without is text. A body that is not multipart, or has no usable
// boundary, has no file (422 missing, where Starlette says 400). A file part that ends before its boundary is a broken
// file.
package multipartform

import (
	"errors"
	"net/http"
)

// ErrTooLarge is returned when the body, or the file in it, is over the upload size limit (413).
var ErrTooLarge = errors.New("the upload is larger than this server accepts")

// ErrBroken is returned when the client's connection failed while the body was read, so that no response can be
// delivered.
var ErrBroken = errors.New("the connection broke off while the body was read")

// Limits of the parts of a form, beside the upload size limit of FormDecoder.MaxFile; those that Starlette has are
// Starlette's.
const (
	maxParts = 1000
	maxField = 1 << 20  // bytes of one text field, and of a whole urlencoded body
	maxTexts = 2 << 20  // bytes of all text fields together: they are held in memory
	slack    = 1 << 20  // bytes that boundaries, headers and text fields may add to the file
	memory   = 1 << 20  // bytes of an upload held in memory before it is spooled to a file
	copySize = 64 << 10 // bytes copied at a time
)

// FormDecoder reads forms. The zero value has no upload size limit; it holds uploads up to 1 MiB in memory and spools
// larger ones to os.TempDir.
type FormDecoder struct {
	MaxFile int64  // upload size limit in bytes; 0 = no limit
	Dir     string // where uploads beyond 1 MiB are spooled
	Named   bool   // spool every upload to a file that keeps its name until Close, so that MoveTo is a rename
	// Rules replace parts of fields' tags, by field name: what only the running program knows, or what differs between
	// two faces of one form.
	Rules map[string]FieldRule
}

// FieldRule replaces parts of a field's tags.
type FieldRule struct {
	Choices []string // instead of literal; nil: as tagged
	// Fits reports whether a value is one of more than Choices, which the violation names; nil: these alone.
	Fits     func(value string) bool
	Required bool // absent is a violation, also with a default
}

// Checker is a form with validation rules that no tag can express. Check is called after its fields are set.
type Checker interface{ Check() []FieldViolation }

// DecodeForm fills dst, a pointer to a tagged struct, from r's headers and body. The error is a ValidationError with
// every violation found, ErrTooLarge, ErrBroken, or a failure of the disk. On an error no upload is left open.
func (d FormDecoder) DecodeForm(r *http.Request, dst any) error {
	fields := fieldsOf(dst)
	d.applyRules(fields)
	if d.MaxFile > 0 && r.ContentLength > d.MaxFile+slack {
		return ErrTooLarge
	}
	body, err := d.readBody(r, fields)
	if err != nil {
		return err
	}
	bad := bindFields(fields, body, r.Header)
	if c, ok := dst.(Checker); ok {
		bad = append(bad, c.Check()...)
	}
	if len(bad) > 0 {
		body.removeFiles()
		for _, f := range fields {
			f.dst.SetZero() // so that no caller reads a closed upload
		}
		return bad
	}
	return nil
}

func (d FormDecoder) applyRules(fields []formField) {
	for i := range fields {
		f := &fields[i]
		rule, found := d.Rules[f.name]
		if !found {
			continue
		}
		f.required = f.required || rule.Required
		if rule.Choices != nil {
			f.literal, f.fits = rule.Choices, rule.Fits
		}
	}
}

// DecodeQuery fills dst, a pointer to a struct with query tags, from r's URL. Of several values the last counts. The
// error is a ValidationError.
func DecodeQuery(r *http.Request, dst any) error {
	var bad ValidationError
	values := r.URL.Query()
	for _, f := range fieldsOf(dst) {
		if given := values[f.name]; len(given) > 0 {
			bad = append(bad, f.bindScalar(given[len(given)-1], true)...)
			continue
		}
		bad = append(bad, f.bindScalar(f.preset, f.preset != "")...)
	}
	if len(bad) > 0 {
		return bad
	}
	return nil
}

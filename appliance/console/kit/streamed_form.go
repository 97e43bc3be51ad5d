package kit

import (
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"
)

// Limits of the Fields before the File of an upload.
const (
	maxUploadFields = 8
	maxUploadField  = 256 // bytes
)

// UploadKey is the echo context key of the unread rest of a streamed form.
const UploadKey = "console.upload"

// StreamedForm is a multipart form whose File, the last part, has not been read.
type StreamedForm struct {
	Fields map[string]string
	File   *multipart.Part // nil: none
}

// Values returns the fields as those of other forms.
func (f *StreamedForm) Values() url.Values {
	values := url.Values{}
	for name, value := range f.Fields {
		values.Set(name, value)
	}
	return values
}

// readStreamedForm is middleware for a form with a File that is too large to be held in memory or stored twice: it
// reads the Fields before the File, with the CSRF token, and leaves the file to the handler. Other bodies are limited
// as usual.
func readStreamedForm(next echo.HandlerFunc) echo.HandlerFunc {
	plain := limitBody(next)
	return func(c echo.Context) error {
		if !strings.HasPrefix(c.Request().Header.Get(echo.HeaderContentType), echo.MIMEMultipartForm) {
			return plain(c)
		}
		form := &StreamedForm{Fields: map[string]string{}}
		if err := form.readFields(c.Request()); err != nil {
			return echo.NewHTTPError(http.StatusBadRequest, "the request is not a form with a file").SetInternal(err)
		}
		c.Request().Header.Set("X-CSRF-Token", form.Fields["csrf"])
		c.Set(UploadKey, form)
		return next(c)
	}
}

// readFields reads the parts of the form up to the File.
func (f *StreamedForm) readFields(r *http.Request) error {
	parts, err := r.MultipartReader()
	if err != nil {
		return err
	}
	for range maxUploadFields {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if part.FileName() != "" || part.FormName() == "file" {
			f.File = part
			return nil
		}
		value, err := io.ReadAll(io.LimitReader(part, maxUploadField+1))
		if err != nil || len(value) > maxUploadField {
			return errors.Join(err, fmt.Errorf("the field %q is too long", part.FormName()))
		}
		f.Fields[part.FormName()] = string(value)
	}
	return errors.New("too many fields before the file")
}

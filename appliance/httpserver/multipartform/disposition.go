package multipartform

import (
	"mime"
	"mime/multipart"
	"path/filepath"
	"regexp"
	"strings"
)

// partDisposition is a part's parsed Content-Disposition header.
type partDisposition struct {
	field    string
	filename string // base name, without directories
	isFile   bool   // Starlette's test: the parameter is there, even when it is empty
}

// loose matches the two parameters in a Content-Disposition header that package mime refuses: a bare quote or a
// backslash at the end of a file name, letters beyond ASCII without quotes. A file is recognized by its content, so
// its name must not cause a refusal.
var loose = regexp.MustCompile(`(?is);\s*(name|filename)\s*=\s*(?:"(.*?)"\s*(?:;|$)|([^;]*))`)

func parseDisposition(part *multipart.Part) partDisposition {
	header := part.Header.Get("Content-Disposition")
	_, params, err := mime.ParseMediaType(header)
	if err != nil {
		params = looseParams(header)
	}
	filename, isFile := params["filename"]
	if filename != "" {
		filename = filepath.Base(filename)
	}
	return partDisposition{field: params["name"], filename: filename, isFile: isFile}
}

// looseParams parses such a header; the search continues at the semicolon that ended a parameter.
func looseParams(header string) map[string]string {
	params := map[string]string{}
	for {
		m := loose.FindStringSubmatchIndex(header)
		if m == nil {
			return params
		}
		value, end := m[4:6], m[5]
		if value[0] < 0 {
			value, end = m[6:8], m[7]
		}
		params[strings.ToLower(header[m[2]:m[3]])] = header[value[0]:value[1]]
		header = header[end:]
	}
}

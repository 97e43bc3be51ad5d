package contactfile

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"regexp"
	"strings"
)

// Limits of a workbook, which bound the memory that reading any file takes to about 200 MiB.
const (
	maxUnzipped   = 64 << 20  // bytes of all parts, unpacked
	maxParts      = 2000      // files in the archive
	maxTags       = 2_000_000 // XML tags of a sheet, which is read row by row
	maxOtherTags  = 1_000_000 // XML tags of a part that is read at once: shared texts, styles
	maxCellSource = 64 << 10  // bytes of XML between two cells or shared texts
)

// cleanArchive returns the workbook with only the parts that tables need. A workbook that would take too much memory or
// time is refused ([ErrTooLarge]): by unpacked size, number of XML tags, width of rows and length of texts. So is one
// whose tags cannot be counted ([ErrOddXML]).
func cleanArchive(data []byte) ([]byte, error) {
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, ErrNoTable
	}
	if len(archive.File) > maxParts {
		return nil, ErrTooLarge
	}
	var cleaned bytes.Buffer
	out, left := zip.NewWriter(&cleaned), int64(maxUnzipped)
	for _, part := range archive.File {
		name := strings.ToLower(strings.TrimLeft(strings.ReplaceAll(part.Name, `\`, "/"), "/"))
		if !tablePart.MatchString(name) {
			continue
		}
		read, err := checkPart(part, name, left)
		if left -= read; err != nil {
			return nil, err
		}
		if err := out.Copy(part); err != nil {
			return nil, ErrNoTable
		}
	}
	if err := out.Close(); err != nil {
		return nil, err
	}
	return cleaned.Bytes(), nil
}

// tablePart matches the parts of a workbook that tables need; not pictures, charts, macros or embedded files.
var tablePart = regexp.MustCompile(
	`^(\[content_types\]\.xml|(xl/)?_rels/[^/]*\.rels|xl/([^/]*|worksheets/[^/]*|theme/[^/]*)\.xml)$`)

// checkPart unpacks a part, at most limit bytes, and scans its XML. It returns the unpacked size.
func checkPart(part *zip.File, name string, limit int64) (int64, error) {
	if part.UncompressedSize64 > uint64(limit) {
		return 0, ErrTooLarge
	}
	in, err := part.Open()
	if err != nil {
		return 0, ErrNoTable
	}
	defer func() { _ = in.Close() }()
	tags := maxOtherTags
	if strings.HasPrefix(name, "xl/worksheets/") {
		tags = maxTags
	}
	n, err := io.Copy(&tagScanner{tagsLeft: tags}, io.LimitReader(in, limit+1))
	switch {
	case errors.Is(err, ErrOddXML):
		return n, ErrOddXML
	case n > limit || errors.Is(err, ErrTooLarge):
		return n, ErrTooLarge
	case err != nil:
		return n, ErrNoTable
	}
	return n, nil
}

// tagScanner counts the tags of the XML that is written to it, without building a tree. It refuses constructs that can
// hide tags (CDATA, comments, DOCTYPE, UTF-16), which spreadsheet programs do not write.
type tagScanner struct {
	tagsLeft       int
	cells          int // position in the row, from 1; 0 outside rows and shared texts
	bytesSinceCell int // bytes since the last cell or shared text began
	inName         bool
	name           []byte // of the current tag, without its namespace prefix
}

func (s *tagScanner) Write(data []byte) (int, error) {
	for _, b := range data {
		s.bytesSinceCell++
		switch {
		case b == 0:
			return 0, ErrOddXML
		case s.bytesSinceCell > maxCellSource && s.cells > 0:
			return 0, ErrTooLarge
		case b == '<':
			if s.tagsLeft--; s.tagsLeft < 0 {
				return 0, ErrTooLarge
			}
			s.inName, s.name = true, s.name[:0]
		case !s.inName:
		case b == '!':
			return 0, ErrOddXML
		case b == ':':
			s.name = s.name[:0]
		case b != '>' && b > ' ' && (b != '/' || len(s.name) == 0):
			if len(s.name) < 16 {
				s.name = append(s.name, b)
			}
		default:
			s.inName = false
			if err := s.endName(); err != nil {
				return 0, err
			}
		}
	}
	return len(data), nil
}

// endName counts a complete tag by its name.
func (s *tagScanner) endName() error {
	switch string(s.name) {
	case "row", "si":
		s.cells, s.bytesSinceCell = 1, 0
	case "c":
		if s.cells++; s.cells > maxRowCells {
			return ErrTooLarge
		}
		s.bytesSinceCell = 0
	case "/sheetData", "/sst":
		s.cells = 0
	}
	return nil
}

package contactfile_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"munadi/appliance/contactfile"
)

// replacePart replaces a part of a workbook.
func replacePart(t *testing.T, data []byte, name string, write func(out func(string))) []byte {
	t.Helper()
	in, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	var made bytes.Buffer
	out := zip.NewWriter(&made)
	for _, part := range in.File {
		if part.Name != name {
			if err := out.Copy(part); err != nil {
				t.Fatal(err)
			}
		}
	}
	w, err := out.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	write(func(text string) { _, _ = w.Write([]byte(text)) })
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	return made.Bytes()
}

// TestBombs checks that workbooks that are small on disk and huge unpacked are refused with little memory.
func TestBombs(t *testing.T) {
	good := writeWorkbook(t, func(f *excelize.File, sheet string) {
		_ = f.SetSheetRow(sheet, "A1", &[]any{"phone", "name"})
		_ = f.SetSheetRow(sheet, "A2", &[]any{"0512345601", "Sara"})
	})
	sheet, texts := "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml"
	open, end := `<worksheet><sheetData>`, `</sheetData></worksheet>`
	repeat := func(before, unit, after string, n int) func(func(string)) {
		return func(out func(string)) {
			out(before)
			chunk := strings.Repeat(unit, 1000)
			for range n / 1000 {
				out(chunk)
			}
			out(after)
		}
	}
	for name, data := range map[string][]byte{
		"200 MB of spaces":    replacePart(t, good, sheet, repeat(open, strings.Repeat(" ", 200), end, 1_000_000)),
		"many cells in a row": replacePart(t, good, sheet, repeat(open+"<row>", "<c/>", "</row>"+end, 3_000_000)),
		"many rows":           replacePart(t, good, sheet, repeat(open, "<row/>", end, 3_000_000)),
		"far columns":         replacePart(t, good, sheet, repeat(open, `<row><c r="XFD1" t="str"><v>1</v></c></row>`, end, 300_000)),
		"many texts":          replacePart(t, good, texts, repeat("<sst>", "<si/>", "</sst>", 3_000_000)),
		"one long text":       replacePart(t, good, texts, repeat("<sst><si><t>", "xxxxxxxxxx", "</t></si></sst>", 1_000_000)),
		"attributes":          replacePart(t, good, sheet, repeat(open+"<row><c ", `a="" `, "/></row>"+end, 3_000_000)),
		"CDATA":               replacePart(t, good, sheet, repeat(open, "<![CDATA[<row>]]>", end, 100_000)),
		"comments":            replacePart(t, good, sheet, repeat(open, "<!-- <row> -->", end, 1000)),
		"entities":            replacePart(t, good, sheet, repeat(`<!DOCTYPE a [<!ENTITY b "bb">]>`+open, "&b;", end, 1000)),
		"UTF-16":              replacePart(t, good, sheet, repeat("\xFF\xFE", "<\x00c\x00/\x00>\x00", "", 1000)),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := readTable(t.Context(), data)
		runtime.ReadMemStats(&after)
		want := contactfile.ErrTooLarge
		if slices.Contains([]string{"CDATA", "comments", "entities", "UTF-16"}, name) {
			want = contactfile.ErrOddXML // its tags cannot be counted
		}
		if !errors.Is(err, want) {
			t.Errorf("%s (%d KiB): %v", name, len(data)>>10, err)
		}
		if grown := after.Sys - before.Sys; after.Sys > before.Sys && grown > 250<<20 {
			t.Errorf("%s took %d MiB", name, grown>>20)
		}
	}
	if table, err := readTable(t.Context(), good); err != nil || len(table.Rows) != 1 {
		t.Errorf("the workbook itself: %v, %v", table, err)
	}
}

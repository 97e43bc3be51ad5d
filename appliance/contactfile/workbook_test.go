package contactfile_test

import (
	"bytes"
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"munadi/appliance/contactfile"
)

// writeRows writes n equal rows as a workbook.
func writeRows(t testing.TB, n int) []byte {
	t.Helper()
	var out bytes.Buffer
	riyadh := time.FixedZone("+03", 3*60*60)
	err := contactfile.WriteWorkbook(&out, true, contactfile.WorkbookSheet{
		Name: "المكالمات", Columns: []string{"الاسم", "الرقم", "الوقت", "المدة", "ملاحظة"},
		Rows: func(row func([]any) error) error {
			for range n {
				at := time.Date(2026, 11, 26, 22, 30, 0, 0, time.UTC).In(riyadh)
				if err := row([]any{"نورة", "+966512345601", at, 42, "=1+1"}); err != nil {
					return err
				}
			}
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestWorkbookHoldsWhatPeopleSee checks local times, numbers that stay texts, and texts that are no formulas. With
// MUNADI_KEEP the file stays, for a look with other programs.
func TestWorkbookHoldsWhatPeopleSee(t *testing.T) {
	t.Parallel()
	data := writeRows(t, 2)
	if file := os.Getenv("MUNADI_KEEP"); file != "" {
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	book, err := excelize.OpenReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := book.GetRows("المكالمات")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"نورة", "+966512345601", "2026-11-27 01:30", "42", "=1+1"}
	if diff := cmp.Diff(want, rows[2]); diff != "" {
		t.Error(diff)
	}
	if formula, err := book.GetCellFormula("المكالمات", "E2"); err != nil || formula != "" {
		t.Errorf("the text is the formula %q, %v", formula, err)
	}
}

// flushWriter notes how much was written when it was flushed.
type flushWriter struct {
	bytes.Buffer
	flushed int
}

func (w *flushWriter) Flush() { w.flushed = w.Len() }

// TestWorkbookBeginsWithItsFirstRow checks that a workbook is sent while its rows are read, that an error before the
// first row writes nothing, and that texts which look like escaped characters stay as they are.
func TestWorkbookBeginsWithItsFirstRow(t *testing.T) {
	t.Parallel()
	failed := errors.New("the store is away")
	var empty, out flushWriter
	none := contactfile.WorkbookSheet{Name: "a", Rows: func(func([]any) error) error { return failed }}
	if err := contactfile.WriteWorkbook(&empty, false, none); !errors.Is(err, failed) || empty.Len() > 0 {
		t.Errorf("%d bytes before the first row, %v", empty.Len(), err)
	}
	texts := []string{"_x0041_", " two\nlines ", strings.Repeat("ن", 40_000), "a < b & c", "\x00"}
	err := contactfile.WriteWorkbook(&out, false, contactfile.WorkbookSheet{
		Name: "<a & b>", Columns: []string{"text"},
		Rows: func(row func([]any) error) error {
			for _, text := range texts {
				if err := row([]any{text}); err != nil {
					return err
				}
				if out.flushed == 0 {
					t.Error("nothing is sent after the first row")
				}
			}
			return nil
		},
	}, contactfile.WorkbookSheet{Name: "b", Columns: []string{"none"}, Rows: func(func([]any) error) error { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	book, err := excelize.OpenReader(bytes.NewReader(out.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"<a & b>", "b"}, book.GetSheetList()); diff != "" {
		t.Error(diff)
	}
	texts[2], texts[4] = strings.Repeat("ن", excelize.TotalCellChars-1)+"…", "\uFFFD"
	for i, want := range texts {
		got, err := book.GetCellValue("<a & b>", "A"+strconv.Itoa(i+2))
		if err != nil || got != want {
			t.Errorf("%.40q is read as %.40q, %v", want, got, err)
		}
	}
}

func BenchmarkWorkbook(b *testing.B) {
	for b.Loop() {
		writeRows(b, 7_000)
	}
}

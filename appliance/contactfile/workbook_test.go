package contactfile_test

import (
	"bytes"
	"os"
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

func BenchmarkWorkbook(b *testing.B) {
	for b.Loop() {
		writeRows(b, 7_000)
	}
}

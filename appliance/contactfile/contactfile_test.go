package contactfile_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"munadi/appliance/contactfile"
)

func encodeText(t testing.TB, form encoding.Encoding, text string) []byte {
	t.Helper()
	data, err := form.NewEncoder().Bytes([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

const arabicRows = "الاسم;رقم الجوال;تاريخ الموعد\r\nسارة;0512345601;23/11/2026\r\nنورة;٠٥١٢٣٤٥٦٠٢;2026-11-24\r\n"

// TestReadCSV checks that every usual delimiter and encoding gives the same table.
func TestReadCSV(t *testing.T) {
	t.Parallel()
	utf16 := func(order unicode.Endianness, mark unicode.BOMPolicy) []byte {
		return encodeText(t, unicode.UTF16(order, mark), strings.ReplaceAll(arabicRows, ";", "\t"))
	}
	western := strings.NewReplacer("٠٥١٢٣٤٥٦٠٢", "0512345602").Replace(arabicRows)
	for name, data := range map[string][]byte{
		"semicolons": []byte(arabicRows), "mark": []byte("\uFEFF" + arabicRows),
		"commas": []byte(strings.ReplaceAll(arabicRows, ";", ",")), "tabs": []byte(strings.ReplaceAll(arabicRows, ";", "\t")),
		"pipes": []byte(strings.ReplaceAll(arabicRows, ";", "|")), "named": []byte("sep=;\r\n" + arabicRows),
		"utf-16":             utf16(unicode.LittleEndian, unicode.UseBOM),
		"utf-16 big":         utf16(unicode.BigEndian, unicode.UseBOM),
		"utf-16 unmarked":    utf16(unicode.LittleEndian, unicode.IgnoreBOM),
		"windows-1256":       encodeText(t, charmap.Windows1256, western),
		"quotes":             []byte(strings.ReplaceAll(arabicRows, "سارة", `"سارة"`)),
		"zero bytes":         []byte(strings.ReplaceAll(arabicRows, "سارة", "سارة\x00\x00\x00")),
		"title row":          []byte("كشف مواعيد الأحد\r\n\r\n" + arabicRows),
		"blank rows, spaces": []byte(strings.ReplaceAll(arabicRows, "\r\n", " \r\n;;\r\n")),
	} {
		table, err := readTable(t.Context(), data)
		if err != nil || len(table.Rows) != 2 || !slices.Equal(table.Header, []string{"الاسم", "رقم الجوال", "تاريخ الموعد"}) {
			t.Errorf("%s: %+v, %v", name, table, err)
			continue
		}
		if table.Rows[0][0] != "سارة" || table.Rows[0][1] != "0512345601" || table.Numbers[0] < 2 {
			t.Errorf("%s: %v, %v", name, table.Rows, table.Numbers)
		}
	}
}

// writeWorkbook writes an .xlsx with one sheet.
func writeWorkbook(t testing.TB, fill func(f *excelize.File, sheet string)) []byte {
	t.Helper()
	f := excelize.NewFile()
	defer func() { _ = f.Close() }()
	fill(f, "Sheet1")
	var out bytes.Buffer
	if err := f.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestReadWorkbook checks the texts of cells of every type and format, dates and times included.
func TestReadWorkbook(t *testing.T) {
	t.Parallel()
	data := writeWorkbook(t, func(f *excelize.File, sheet string) {
		style := func(code string) int {
			id, err := f.NewStyle(&excelize.Style{CustomNumFmt: &code})
			if err != nil {
				t.Fatal(err)
			}
			return id
		}
		for i, name := range []string{"الاسم", "الجوال", "اليوم", "الساعة", "المبلغ", "متى", "نعم"} {
			cell, _ := excelize.CoordinatesToCellName(i+1, 3)
			_ = f.SetCellValue(sheet, cell, name)
		}
		_ = f.SetCellValue(sheet, "A1", "كشف المرضى")
		day := time.Date(2026, 11, 23, 16, 30, 0, 0, time.UTC)
		_ = f.SetSheetRow(sheet, "A4", &[]any{"سارة", int64(966512345601), 46349, 0.6875, 1250.5, day, true})
		_ = f.SetCellStyle(sheet, "C4", "C4", style(`dd/mm/yyyy`))
		_ = f.SetCellStyle(sheet, "D4", "D4", style(`[$-,100]h:mm AM/PM`))
		_ = f.SetCellStyle(sheet, "E4", "E4", style(`#,##0.00" ريال"`))
		_ = f.SetSheetRow(sheet, "A6", &[]any{"نورة", "0512345602", "24/11/2026"})
	})
	table, err := readTable(t.Context(), data)
	want := [][]string{
		{"سارة", "966512345601", "2026-11-23", "16:30", "1250.5", "2026-11-23 16:30", "TRUE"},
		{"نورة", "0512345602", "24/11/2026", "", "", "", ""},
	}
	if err != nil || fmt.Sprint(table.Rows) != fmt.Sprint(want) || fmt.Sprint(table.Numbers) != "[4 6]" {
		t.Errorf("%v, %v, %v", table.Rows, table.Numbers, err)
	}
}

// TestFiles checks the errors of unreadable files.
func TestUnreadableFiles(t *testing.T) {
	t.Parallel()
	many := "رقم\n" + strings.Repeat("0512345601\n", contactfile.MaxRows+1)
	for name, c := range map[string]struct {
		data []byte
		want error
	}{
		"nothing": {nil, contactfile.ErrEmpty}, "header alone": {[]byte("phone,name\n"), contactfile.ErrEmpty},
		"too many rows": {[]byte(many), contactfile.ErrTooMany}, "old Excel": {[]byte("\xD0\xCF\x11\xE0..."), contactfile.ErrOldFormat},
		"a picture":  {append([]byte("\x89PNG\r\n\x1a\n"), bytes.Repeat([]byte{0, 1, 2, 0xff}, 500)...), contactfile.ErrNoTable},
		"an archive": {[]byte("PK\x03\x04nothing"), contactfile.ErrNoTable},
		"large":      {make([]byte, contactfile.MaxFile+1), contactfile.ErrTooLarge},
		"wide":       {[]byte("phone" + strings.Repeat(",x", 64) + "\n0512345601\n"), contactfile.ErrTooWide},
		"wide row":   {[]byte("phone\n0512345601" + strings.Repeat(",", 64) + "x\n"), contactfile.ErrTooWide},
		"open quote": {[]byte("phone\n\"0512345601" + strings.Repeat(",", 64) + "x\n" + strings.Repeat("y\n", 100)), contactfile.ErrTooWide},
		"commas":     {[]byte("phone\n0512345601" + strings.Repeat(",", 2000) + "\n"), contactfile.ErrTooWide},
		"wide workbook": {writeWorkbook(t, func(f *excelize.File, sheet string) {
			_ = f.SetSheetRow(sheet, "A1", &[]any{"phone"})
			_ = f.SetCellValue(sheet, "BM2", "in column 65")
		}), contactfile.ErrTooWide},
	} {
		if _, err := readTable(t.Context(), c.data); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

// TestEmptyColumns checks that columns beyond the limit are no fault while they are empty, as spreadsheets export them.
func TestEmptyColumns(t *testing.T) {
	t.Parallel()
	text := "phone,name" + strings.Repeat(",", 200) + "\n0512345601,Sara" + strings.Repeat(", ", 200) + "\n"
	table, err := readTable(t.Context(), []byte(text))
	if err != nil || len(table.Rows) != 1 || len(table.Header) != 2 {
		t.Errorf("%+v, %v", table, err)
	}
}

// TestOpenQuote checks that an unclosed quote affects only its row.
func TestOpenQuote(t *testing.T) {
	t.Parallel()
	text := "phone,name\n0512345600,\"Sara\n" + strings.Repeat("0512345601,Nora\n", 200)
	table, err := readTable(t.Context(), []byte(text))
	if err != nil || len(table.Rows) != 201 || table.Rows[0][1] != "Sara" {
		t.Errorf("%d rows, %v", len(table.Rows), err)
	}
}

// TestNumbers checks telephone numbers as people and spreadsheets write them.
func TestNumbers(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{
		"0512345601": "+966512345601", "512345601": "+966512345601", "966512345601": "+966512345601", "+966512345601": "+966512345601",
		"00966512345601": "+966512345601", "٠٥١٢٣٤٥٦٠١": "+966512345601", "۰۵۱۲۳۴۵۶۰۱": "+966512345601", "051-234 5601": "+966512345601",
		"(+966) 51 234 5601": "+966512345601", "9.66512345601E+11": "+966512345601", "512345601.0": "+966512345601",
		"+971501234567": "+971501234567", "00201012345678": "+201012345678", "9.66512E+11": "", "123": "", "call me": "", "": "",
		"05123456011234567": "", "1-800-FLOWERS": "",
	} {
		got, ok := contactfile.NormalizeNumber(typed, "SA")
		if ok != (want != "") || ok && got != want {
			t.Errorf("%q: %q, %t, want %q", typed, got, ok, want)
		}
	}
	if got, _ := contactfile.NormalizeNumber("0501234567", "AE"); got != "+971501234567" {
		t.Errorf("in the Emirates: %s", got)
	}
}

// TestMatchColumns checks that columns are recognized by header and content, in both languages.
func TestMatchColumns(t *testing.T) {
	t.Parallel()
	fields := []contactfile.ContactField{
		{Name: contactfile.PhoneField, Kind: contactfile.PhoneValue},
		{Name: "date", Labels: []string{"يوم الموعد"}, Kind: contactfile.DateValue},
		{Name: "time", Labels: []string{"ساعة الموعد"}, Kind: contactfile.TimeValue},
		{Name: "name", Labels: []string{"الاسم"}, Kind: contactfile.TextValue},
		{Name: "doctor", Labels: []string{"الطبيب"}, Kind: contactfile.TextValue},
	}
	for header, want := range map[string]string{
		"رقم الملف,اسم المريض,الجوال,تاريخ الموعد,الوقت,اسم الطبيب": " name phone_number date time doctor",
		"id,Patient name,Mobile No.,Date,Time,Doctor":               " name phone_number date time doctor",
		"a,b,c,d,e,f": "  phone_number date time ",
	} {
		table, err := readTable(t.Context(), []byte(header+"\n1771,سارة,0512345601,23/11/2026,9:30,خالد\n1772,نورة,0512345602,23/11/2026,10:30,خالد\n"))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(contactfile.MatchColumns(table, fields, saudi("")), " "); got != want {
			t.Errorf("%s: %q, want %q", header, got, want)
		}
	}
}

// TestPack checks that a packed table is unpacked unchanged, and that anything else is refused.
func TestPack(t *testing.T) {
	t.Parallel()
	table, err := readTable(t.Context(), []byte(arabicRows))
	if err != nil {
		t.Fatal(err)
	}
	packed, err := contactfile.PackTables(table)
	if err != nil {
		t.Fatal(err)
	}
	if back, err := contactfile.UnpackTables(packed); err != nil || len(back) != 1 || fmt.Sprint(back[0]) != fmt.Sprint(table) {
		t.Errorf("%v, %v", back, err)
	}
	for _, odd := range []string{"", "x", packed[:len(packed)/2], "H4sIAAAAAAAA"} {
		if _, err := contactfile.UnpackTables(odd); err == nil {
			t.Errorf("%.20q is taken for a table", odd)
		}
	}
}

// TestTenThousandRows checks that files of the largest size are read.
func TestTenThousandRows(t *testing.T) {
	t.Parallel()
	data := writeWorkbook(t, func(f *excelize.File, sheet string) {
		out, err := f.NewStreamWriter(sheet)
		if err != nil {
			t.Fatal(err)
		}
		_ = out.SetRow("A1", []any{"الاسم", "الجوال", "اليوم"})
		for i := range contactfile.MaxRows {
			cell, _ := excelize.CoordinatesToCellName(1, i+2)
			_ = out.SetRow(cell, []any{"سارة", fmt.Sprintf("05%08d", i), "23/11/2026"})
		}
		_ = out.Flush()
	})
	began := time.Now()
	table, err := readTable(t.Context(), data)
	if err != nil || len(table.Rows) != contactfile.MaxRows {
		t.Fatalf("%d rows, %v", len(table.Rows), err)
	}
	packed, _ := contactfile.PackTables(table)
	t.Logf("%d KiB read in %s, packed into %d KiB", len(data)>>10, time.Since(began), len(packed)>>10)
}

// readTable reads the table that a file opens with.
func readTable(ctx context.Context, data []byte) (contactfile.ContactTable, error) {
	all, err := contactfile.ReadTables(ctx, data)
	if len(all) == 0 {
		return contactfile.ContactTable{}, err
	}
	return all[0], nil
}

// TestSheetsOfAWorkbook checks that every sheet with rows is read, the active one first, and that hidden ones are not.
func TestSheetsOfAWorkbook(t *testing.T) {
	t.Parallel()
	data := writeWorkbook(t, func(f *excelize.File, first string) {
		for _, name := range []string{"الاثنين", "Empty", "Hidden", "Wide"} {
			_, _ = f.NewSheet(name)
		}
		_ = f.SetSheetCol(first, "A1", &[]any{"phone", "0512345601"})
		_ = f.SetSheetCol("الاثنين", "A1", &[]any{"phone", "0512345602", "0512345603"})
		_ = f.SetSheetCol("Hidden", "A1", &[]any{"phone", "0512345604"})
		_ = f.SetSheetVisible("Hidden", false)
		_ = f.SetCellValue("Wide", "BM1", "in column 65")
		at, _ := f.GetSheetIndex("الاثنين")
		f.SetActiveSheet(at)
	})
	all, err := contactfile.ReadTables(t.Context(), data)
	if !errors.Is(err, contactfile.ErrTooWide) || len(all) != 2 {
		t.Fatalf("%d tables, %v", len(all), err)
	}
	if all[0].Sheet != "الاثنين" || len(all[0].Rows) != 2 || len(all[1].Rows) != 1 || all[1].Sheet == "" {
		t.Errorf("the sheets are %+v", all)
	}
}

// TestTwoNumbersInACell checks which cells hold two numbers.
func TestTwoNumbersInACell(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{
		"0501234567 / 0559876543": "[+966501234567 +966559876543]", "٠٥٠١٢٣٤٥٦٧ أو ٠٥٥٩٨٧٦٥٤٣": "[+966501234567 +966559876543]",
		"0501234567، +201001234567": "[+966501234567 +201001234567]", "0501234567 0559876543": "[+966501234567 +966559876543]",
		"0501234567-0559876543": "[+966501234567 +966559876543]", "050-123-4567/055-987-6543": "[+966501234567 +966559876543]",
		"0501234567/0501234567": "[]", "0501234567 / 05": "[]", "0501234567/0559876543/0512345601": "[]", "23/12/2026": "[]", "": "[]",
	} {
		if got := fmt.Sprint(contactfile.SplitNumbers(typed, "SA")); got != want {
			t.Errorf("%q has %s, want %s", typed, got, want)
		}
	}
	table, err := readTable(t.Context(), []byte("name,phone\nمنى,0501234567 / 0559876543\n"))
	if err != nil || table.Header[1] != "phone" || contactfile.FindNameColumn(table) != 0 {
		t.Errorf("%+v, %v", table, err)
	}
}

func FuzzReadTables(f *testing.F) {
	f.Add([]byte(arabicRows))
	f.Add([]byte("\xFF\xFEa\x00;\x00b\x00\n\x001\x00;\x002\x00"))
	f.Add([]byte("sep=|\na|\"b\n1|2"))
	small := writeWorkbook(f, func(b *excelize.File, sheet string) { _ = b.SetSheetRow(sheet, "A1", &[]any{"phone", 46349.5}) })
	f.Add(small)
	if seed, err := os.ReadFile("testdata/small.xlsx"); err == nil {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		table, err := readTable(t.Context(), data)
		if err != nil {
			return
		}
		if len(table.Rows) == 0 || len(table.Rows) != len(table.Numbers) || len(table.Header) == 0 {
			t.Fatalf("a table of %d rows and %d columns", len(table.Rows), len(table.Header))
		}
		packed, err := contactfile.PackTables(table)
		if err != nil {
			t.Fatal(err)
		}
		if back, err := contactfile.UnpackTables(packed); err != nil || fmt.Sprint(back[0].Rows) != fmt.Sprint(table.Rows) {
			t.Fatalf("packed and unpacked: %v", err)
		}
		contactfile.MatchColumns(table, []contactfile.ContactField{{Name: contactfile.PhoneField, Kind: contactfile.PhoneValue}}, saudi(""))
	})
}

func FuzzUnpackTables(f *testing.F) {
	f.Add("H4sIAAAAAAAA/6tWykhNTEktUrKKVkpUitVRKsovL1ayijbUMYitrQUAGzBbsx8AAAA=")
	f.Fuzz(func(_ *testing.T, packed string) { _, _ = contactfile.UnpackTables(packed) })
}

func FuzzNormalizeNumber(f *testing.F) {
	for _, typed := range []string{"0512345601", "+966 51", "9.66512345601E+11", "٠٥", "1e99", "++", "00"} {
		f.Add(typed)
	}
	f.Fuzz(func(t *testing.T, typed string) {
		number, ok := contactfile.NormalizeNumber(typed, "SA")
		if again, still := contactfile.NormalizeNumber(number, "EG"); ok && (!still || again != number) {
			t.Errorf("%q became %q, and that %q", typed, number, again)
		}
		if two := contactfile.SplitNumbers(typed, "SA"); two != nil && (len(two) != 2 || two[0] == two[1]) {
			t.Errorf("%q has the numbers %q", typed, two)
		}
		for _, kind := range []contactfile.ValueKind{contactfile.DateValue, contactfile.TimeValue, contactfile.NumberValue, contactfile.ChoiceValue} {
			contactfile.ReadValue(typed, kind, saudi("a"))
		}
	})
}

package contactfile_test

import (
	"testing"

	"munadi/appliance/contactfile"
)

func TestFindTotalLabel(t *testing.T) {
	t.Parallel()
	for _, row := range [][]string{
		{"", "المجموع", "125"},
		{"المجموع: ١٢٥", "", ""},
		{"الاجمالي", "", "4500"},
		{"12", "إجمالي العدد", ""},
		{"", "", "TOTAL"},
		{"Grand total:", "", "7"},
		{"Sub-total", "3"},
	} {
		if contactfile.FindTotalLabel(row) == "" {
			t.Errorf("%q is not found to be a total", row)
		}
	}
	for _, row := range [][]string{
		{"1", "سارة العتيبي", "0500000001"}, {"", "", ""}, {"مجموعة النور", "05123"}, {"Total Energies", "05123"}, {"12", "34"},
	} {
		if label := contactfile.FindTotalLabel(row); label != "" {
			t.Errorf("%q is taken for a total, by %q", row, label)
		}
	}
}

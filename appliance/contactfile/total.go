package contactfile

import (
	"slices"
	"strings"
)

// totalLabels are what people write beside a total.
var totalLabels = []string{
	"المجموع", "المجموع الكلي", "المجموع العام", "المجموع الفرعي", "مجموع الصفحة", "الإجمالي", "الإجمالي الكلي",
	"الإجمالي العام", "الإجمالي الفرعي", "إجمالي العدد", "إجمالي الصفحة", "العدد الكلي", "العدد الإجمالي",
	"total", "totals", "grand total", "overall total", "page total", "subtotal", "sub total", "sum",
}

// FindTotalLabel returns the cell of a row that says that the row is a total of others, perhaps with the total beside
// it; empty for none. Rows with a telephone number are people: the caller looks there first.
func FindTotalLabel(cells []string) string {
	for _, cell := range cells {
		words := slices.DeleteFunc(strings.Fields(foldName(westernDigits(cell))), func(word string) bool {
			return strings.Trim(word, "0123456789") == ""
		})
		label := strings.Join(words, " ")
		if label != "" && slices.ContainsFunc(totalLabels, func(known string) bool { return foldName(known) == label }) {
			return cell
		}
	}
	return ""
}

package locale

// ComponentWords are the texts of components, the same on every page.
type ComponentWords struct {
	Pages, Previous, Next string
	Copy, Copied          string
	Total                 string
	Hours                 string // accessible name of a chart's axis of hours
	Search, All, CSV      string // of a list
	NoMatch               string
}

// KitIn returns the parts' strings.
func KitIn(l Language) ComponentWords {
	return pickLanguage(l, ComponentWords{
		Pages: "صفحات القائمة", Previous: "السابق", Next: "التالي", Copy: "نسخ", Copied: "نُسخ",
		Total: "المجموع", Hours: "ساعات اليوم", Search: "بحث", All: "الكل", CSV: "تنزيل CSV", NoMatch: "لا سطر يطابق البحث.",
	}, ComponentWords{
		Pages: "Pages of the list", Previous: "Previous", Next: "Next", Copy: "Copy", Copied: "Copied",
		Total: "Total", Hours: "Hours of the day", Search: "Search", All: "All", CSV: "Download CSV", NoMatch: "No line matches the search.",
	})
}

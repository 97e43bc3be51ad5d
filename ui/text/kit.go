package text

// Kit is what parts say by themselves, on whatever page.
type Kit struct {
	Pages, Previous, Next string
	Copy, Copied          string
	Total                 string
	Hours                 string // accessible name of a chart's axis of hours
}

// KitIn returns the parts' strings.
func KitIn(l Lang) Kit {
	return pick(l, Kit{
		Pages: "صفحات القائمة", Previous: "السابق", Next: "التالي", Copy: "نسخ", Copied: "نُسخ",
		Total: "المجموع", Hours: "ساعات اليوم",
	}, Kit{
		Pages: "Pages of the list", Previous: "Previous", Next: "Next", Copy: "Copy", Copied: "Copied",
		Total: "Total", Hours: "Hours of the day",
	})
}

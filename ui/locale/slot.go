package locale

// SlotWord returns the display name of a slot of the built-in scenarios, and of scenarios that use the same names;
// empty for another.
func SlotWord(l Language, slot string) string {
	pair := map[string][2]string{
		"confirmed":        {"مؤكد", "Confirmed"},
		"wants_reschedule": {"يريد موعدًا آخر", "Wants another time"},
		"new_date":         {"اليوم الجديد", "New date"},
		"new_time":         {"الساعة الجديدة", "New time"},
		"cancel_reason":    {"سبب الإلغاء", "Reason for cancelling"},
		"dish":             {"الطبق", "Dish"},
		"quantity":         {"العدد", "Quantity"},
		"size":             {"الحجم", "Size"},
		"drink":            {"المشروب", "Drink"},
		"delivery":         {"طريقة الاستلام", "Delivery or pickup"},
		"address":          {"العنوان", "Address"},
		"name":             {"الاسم", "Name"},
		"payment":          {"الدفع", "Payment"},
		"total":            {"المبلغ", "Total"},
	}[slot]
	return pickLanguage(l, pair[0], pair[1])
}

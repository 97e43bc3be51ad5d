package locale

// VariableWords are the violations of a booking's variable; each has {name}, Choice and Text also {value}.
type VariableWords struct {
	Missing, Unknown                        string
	Text, Date, Time, Number, Phone, Choice string // the wanted form
	Choose                                  string // the placeholder option of a list
}

// VariablesIn returns the strings.
func VariablesIn(l Language) VariableWords {
	return pickLanguage(l, VariableWords{
		Missing: "{name}: قيمة مطلوبة.", Unknown: "لا قيمة باسم {name} في هذا السيناريو.",
		Text: "{name}: اكتب نصًا أقصر. الحد الأقصى لعدد الحروف: {value}.", Date: "{name}: اكتب تاريخًا مثل 2026-01-31.",
		Time: "{name}: اكتب وقتًا من 00:00 إلى 23:59.", Number: "{name}: اكتب عددًا مثل 12 أو 12.5.",
		Phone:  "{name}: اكتب رقم هاتف دوليًا مثل +966512345601.",
		Choice: "{name}: اختر واحدة من هذه القيم: {value}.", Choose: "اختر…",
	}, VariableWords{
		Missing: "{name} is required.", Unknown: "The scenario has no variable {name}.",
		Text: "{name}: write a text of at most {value} characters.", Date: "{name}: write a date such as 2026-01-31.",
		Time: "{name}: write a time from 00:00 to 23:59.", Number: "{name}: write a number such as 12 or 12.5.",
		Phone:  "{name}: write an international telephone number such as +966512345601.",
		Choice: "{name}: choose one of these values: {value}.", Choose: "Choose…",
	})
}

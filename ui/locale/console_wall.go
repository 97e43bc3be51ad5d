package locale

// WallWords is the wall of running calls.
type WallWords struct{ Title, Lead, None, NoneText, More, Open string }

// WallIn returns its strings.
func WallIn(l Language) WallWords {
	return pickLanguage(l, WallWords{
		Title: "المكالمات الجارية", Lead: "آخر ما قيل في كل مكالمة. اضغط زر الاستماع لتسمعها.", None: "لا مكالمات جارية الآن",
		NoneText: "تظهر هنا كل مكالمة حين يبدأ الاتصال.", More: "مكالمات أخرى جارية لا تظهر هنا.", Open: "الجارية الآن",
	}, WallWords{
		Title: "Running calls", Lead: "What was said last in each call. Press the button to listen in.", None: "No calls are running",
		NoneText: "Each call shows up here when it is dialled.", More: "Further calls are running that are not shown here.",
		Open: "Running now",
	})
}

package locale

// AppliancesWords are those of the list of appliances that share a database.
type AppliancesWords struct {
	Title, Lead, Name, Here, State     string
	Works, Hindered, Gone              string
	Lines, Queue, Role, Version, Model string
	Started, Heard, Loading            string
	RoleAll, RoleSTT                   string
}

// AppliancesIn returns the strings.
func AppliancesIn(l Language) AppliancesWords {
	return pickLanguage(l, AppliancesWords{
		Title: "الخوادم", Lead: "كل خوادم مُنادي التي تشترك في قاعدة البيانات هذه. تُحدَّث حالتها كل خمس ثوانٍ، فأعد تحميل الصفحة لرؤيتها.",
		Name: "الخادم", Here: "هذا الخادم", State: "الحالة", Works: "يعمل", Hindered: "به خلل", Gone: "منقطع",
		Lines: "الخطوط المشغولة", Queue: "انتظار التعرّف", Role: "الدور", Version: "الإصدار", Model: "النموذج",
		Started: "بدأ", Heard: "آخر اتصال منه", Loading: "يُحمَّل الآن",
		RoleAll: "كل الخدمات", RoleSTT: "التعرّف وحده",
	}, AppliancesWords{
		Title: "Appliances", Lead: "All appliances that share this database. Their state is updated every five seconds; reload the page to see it.",
		Name: "Appliance", Here: "this one", State: "State", Works: "working", Hindered: "impaired", Gone: "unreachable",
		Lines: "Lines in use", Queue: "Waiting for recognition", Role: "Role", Version: "Version", Model: "Model",
		Started: "Started", Heard: "Last heartbeat", Loading: "loading",
		RoleAll: "everything", RoleSTT: "speech-to-text",
	})
}

// RoleName returns the display name of a role; the role itself without one.
func (w AppliancesWords) RoleName(role string) string {
	switch role {
	case "all":
		return w.RoleAll
	case "stt":
		return w.RoleSTT
	}
	return role
}

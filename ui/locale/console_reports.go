package locale

// ReportWords is the page of reports.
type ReportWords struct {
	Title, Lead, By, Day, Week, Month, From, To, Scenario, Every, Show, Print, CSV, Zone, Made, None string
	Period, Ended, Reached, Percent, Confirmed, Unreached, Failed, Cancelled, Waiting                string
	EndedNote, ConfirmedNote, BestHour, BestHourNone                                                 string
	BestHourNote                                                                                     string // with {percent}
	ByPeriod, ByHour, ByScenario, ByCampaign, Campaign, Options                                      string
}

// ReportsIn returns its strings.
func ReportsIn(l Language) ReportWords {
	return pickLanguage(l, ReportWords{
		Title: "التقارير", Lead: "كيف سارت المكالمات، بحسب موعد الاتصال.", By: "كل صف", Day: "يوم", Week: "أسبوع", Month: "شهر",
		From: "من يوم", To: "إلى يوم", Scenario: "السيناريو", Every: "كل السيناريوهات", Show: "اعرض", Print: "طباعة", CSV: "تنزيل CSV",
		Zone: "المنطقة الزمنية", Made: "أُعدّ في", None: "لا مكالمات في هذه المدة.",
		Period: "المدة", Ended: "اتُّصل بهم", Reached: "اكتملت", Percent: "نسبة المكتملة", Confirmed: "أكّدوا", Unreached: "لم تتمّ", Failed: "فشلت",
		Cancelled: "أُلغيت", Waiting: "في الانتظار", EndedNote: "مكالمات انتهت، دون الملغاة", ConfirmedNote: "أجابوا بنعم عن سؤال التأكيد",
		BestHour: "أفضل ساعة", BestHourNone: "لا تُقارن إلا ساعة فيها عشر مكالمات على الأقل.", BestHourNote: "اكتمل فيها {percent} من المكالمات",
		ByPeriod: "المكالمات بالمدة والنتيجة", ByHour: "المكالمات بساعة الاتصال والنتيجة", ByScenario: "بحسب السيناريو",
		ByCampaign: "بحسب الحملة", Campaign: "الحملة",
		Options: "خيارات التقرير",
	}, ReportWords{
		Title: "Reports", Lead: "How calls went, by their dial time.", By: "Each row is a", Day: "day", Week: "week", Month: "month",
		From: "From day", To: "To day", Scenario: "Scenario", Every: "All scenarios", Show: "Show", Print: "Print", CSV: "Download CSV",
		Zone: "Time zone", Made: "Made at", None: "There are no calls in this period.",
		Period: "Period", Ended: "Called", Reached: "Reached", Percent: "Reached, %", Confirmed: "Confirmed", Unreached: "Not reached",
		Failed: "Failed", Cancelled: "Cancelled", Waiting: "Waiting", EndedNote: "Calls that ended, cancelled ones left out",
		ConfirmedNote: "Answered the confirmation question with yes", BestHour: "Best hour",
		BestHourNone: "Only hours with at least ten calls are compared.", BestHourNote: "{percent} of its calls were reached",
		ByPeriod: "Calls by period and outcome", ByHour: "Calls by hour of the day and outcome", ByScenario: "By scenario", ByCampaign: "By campaign", Campaign: "Campaign",
		Options: "Options of the report",
	})
}

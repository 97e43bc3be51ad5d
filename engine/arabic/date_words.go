package arabic

import "time"

var weekdays = map[string]time.Weekday{
	"الاحد": time.Sunday, "الحد": time.Sunday,
	"الاثنين": time.Monday, "الاتنين": time.Monday, "التنين": time.Monday, "الثنين": time.Monday, "الاثنان": time.Monday,
	"الثلاثاء": time.Tuesday, "الثلاثا": time.Tuesday, "التلات": time.Tuesday, "التلاتاء": time.Tuesday,
	"التلاتا": time.Tuesday, "الثلوث": time.Tuesday, "الثلاث": time.Tuesday,
	"الاربعاء": time.Wednesday, "الاربعا": time.Wednesday, "الاربع": time.Wednesday, "الربوع": time.Wednesday,
	"لاربع": time.Wednesday, "لاربعا": time.Wednesday,
	"الخميس": time.Thursday, "الجمعه": time.Friday, "السبت": time.Saturday,
}

// similarToWeekdays are words that differ by a letter from a day of the week.
var similarToWeekdays = wordSet("الجامعة السبب الاخر الخمس الثلث الجمع")

// months by folded name: Egypt and the Gulf, the Levant and Iraq, the Maghreb.
var months = monthTable(
	"يناير ينايرر جانفي", "فبراير فيفري شباط", "مارس اذار", "ابريل افريل نيسان", "مايو ماي ايار",
	"يونيو يونيه جوان حزيران", "يوليو يوليه جويليه يوليوز تموز", "اغسطس اوت غشت اب", "سبتمبر شتنبر ايلول",
	"اكتوبر", "نوفمبر نونبر", "ديسمبر دجنبر",
)

// pairedMonths are months of two words: by the first, then by the second without its article.
var pairedMonths = map[string]map[string]time.Month{
	"كانون": {"اول": time.December, "ثاني": time.January, "تاني": time.January},
	"تشرين": {"اول": time.October, "ثاني": time.November, "تاني": time.November},
}

var ordinalDays = map[string]int{
	"الاول": 1, "اول": 1, "الحادي": 1, "الواحد": 1, "الثاني": 2, "التاني": 2, "الثالث": 3, "التالت": 3, "الرابع": 4,
	"الخامس": 5, "السادس": 6, "السابع": 7, "الثامن": 8, "التامن": 8, "التاسع": 9, "العاشر": 10,
}

// nearDays are days from today.
var nearDays = map[string]int{
	"اليوم": 0, "هاليوم": 0, "النهارده": 0, "انهارده": 0, "الليله": 0, "الليوم": 0,
	"بكره": 1, "بكرا": 1, "باكر": 1, "باجر": 1, "غدا": 1, "غد": 1, "الغد": 1, "بكري": 1, "غدوه": 1, "بكرهن": 1,
	"باچر": 1, "غدوا": 1,
}

// monthEnd is the day before the first of the next month.
const monthEnd = 0

// monthParts are the days that parts of a month mean.
var monthParts = map[string]int{
	"نص": 15, "نصف": 15, "منتصف": 15, "وسط": 15, "اخر": monthEnd, "نهايه": monthEnd, "اواخر": monthEnd, "اخير": monthEnd,
}

// periods are the units of relative dates.
var periods = map[string]struct{ days, months int }{
	"يوم": {days: 1}, "يومين": {days: 2}, "ايام": {days: 1}, "يوما": {days: 1},
	"اسبوع": {days: 7}, "اسبوعين": {days: 14}, "اسابيع": {days: 7}, "جمعه": {days: 7},
	"شهر": {months: 1}, "شهرين": {months: 2}, "شهور": {months: 1}, "اشهر": {months: 1},
}

var (
	thisWeek  = wordSet("الأسبوع أسبوع السيمانة سيمانة")
	thisMonth = wordSet("الشهر شهر")
	nextWords = wordSet("الجاي الجاية الجي الجية القادم القادمة المقبل المقبلة " +
		"الياي اليايه التالي الثاني التاني الماجي الماجية")
	pastWords = wordSet("الماضي الماضية الفايت الفائت السابق فات")
	thisOne   = wordSet("هذا هذي هذه هاد ده دا الجاي القادم")
	// qualifiers make "the day" of اليوم, which alone is today.
	qualifiers = wordSet("اللي الذي الوطني المناسب المحدد الفلاني نفسه المتفق المقرر")
	dateLinks  = wordSet("من في شهر بشهر لشهر ل على")
	yearWords  = wordSet("سنة عام لسنة لعام بسنة من")
)

// monthTable takes the names of January, of February, and so on.
func monthTable(rows ...string) map[string]time.Month {
	out := map[string]time.Month{}
	for i, row := range rows {
		for w := range wordSet(row) {
			out[w] = time.Month(i + 1)
		}
	}
	return out
}

package locale

import (
	"strconv"
	"time"
)

// DayText returns a day of the Gregorian calendar: "Friday 25 December 2026".
func DayText(l Language, day time.Time) string {
	months := pickLanguage(l, [12]string{
		"يناير", "فبراير", "مارس", "أبريل", "مايو", "يونيو", "يوليو", "أغسطس", "سبتمبر", "أكتوبر", "نوفمبر", "ديسمبر",
	}, [12]string{
		"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
	})
	weekdays := pickLanguage(l, [7]string{
		"الأحد", "الاثنين", "الثلاثاء", "الأربعاء", "الخميس", "الجمعة", "السبت",
	}, [7]string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"})
	return weekdays[day.Weekday()] + " " + strconv.Itoa(day.Day()) + " " + months[day.Month()-1] + " " + strconv.Itoa(day.Year())
}

// HijriText returns a day of the Hijri calendar: "15 Jumada II 1448 AH".
func HijriText(l Language, year, month, day int) string {
	months := pickLanguage(l, [12]string{
		"محرم", "صفر", "ربيع الأول", "ربيع الآخر", "جمادى الأولى", "جمادى الآخرة", "رجب", "شعبان", "رمضان", "شوال", "ذو القعدة", "ذو الحجة",
	}, [12]string{
		"Muharram", "Safar", "Rabi I", "Rabi II", "Jumada I", "Jumada II", "Rajab", "Shaban", "Ramadan", "Shawwal", "Dhu al-Qadah", "Dhu al-Hijjah",
	})
	mark := pickLanguage(l, "هـ", " AH")
	return strconv.Itoa(day) + " " + months[month-1] + " " + strconv.Itoa(year) + mark
}

// Package suppressions holds what a person sees of the suppression list.
package suppressions

import "munadi/ui/locale"

var Lead = locale.Text{"أرقام لا يُتصل بها، مهما حُجز لها.", "Numbers that are not called, whatever is booked."}
var Search = locale.Text{"بحث عن رقم", "Find a number"}
var All = locale.Text{"كل القائمة", "The whole list"}
var Reason = locale.Text{"السبب", "Reason"}
var Source = locale.Text{"المصدر", "Source"}
var Added = locale.Text{"أُضيف", "Added"}
var Until = locale.Text{"حتى", "Until"}
var ForGood = locale.Text{"دائمًا", "permanently"}
var Expired = locale.Text{"انتهى", "expired"}
var Add = locale.Text{"أضف رقمًا", "Add a number"}
var AddDo = locale.Text{"أضف إلى القائمة", "Add to the list"}
var NumberHint = locale.Text{"مثل \u20660512345601\u2069 أو \u2066+966512345601\u2069.", "Such as 0512345601 or +966512345601."}
var ReasonHint = locale.Text{"اختياري: لماذا.", "Optional: why."}
var UntilHint = locale.Text{"اختياري: آخر يوم للمنع. فارغ: دائمًا.", "Optional: the last day of it. Empty: permanently."}
var Remove = locale.Text{"أزل", "Remove"}
var RemoveTitle = locale.Text{"إزالة الرقم من القائمة؟", "Remove the number from the list?"}
var RemoveText = locale.Text{"يعود الاتصال بهذا الرقم ممكنًا، ومنه ما هو محجوز الآن.", "It may be called again, and what is booked for it now will be."}
var SaidAdded = locale.Text{"أُضيف الرقم. لن يُتصل به.", "The number is on the list and won't be called."}
var SaidRemoved = locale.Text{"أُزيل الرقم. يمكن الاتصال به.", "The number is off the list and may be called."}
var Import = locale.Text{"استيراد CSV", "Import CSV"}
var ImportFile = locale.Text{"ملف CSV", "CSV file"}
var ImportHint = locale.Text{"الأعمدة: phone_number ثم reason ثم until. رقم في كل سطر، وسطر العناوين اختياري.", "Columns: phone_number, then reason, then until. One number on each line; a header row is optional."}
var ImportDo = locale.Text{"استورد الملف", "Import the file"}
var EmptyTitle = locale.Text{"قائمة المنع فارغة", "The suppression list is empty"}
var EmptyText = locale.Text{"هنا أرقام من طلبوا ألا يُتصل بهم. تُضاف من هذه الصفحة، وعبر API، ومن المكالمة نفسها حين يطلب صاحبها ذلك.", "The numbers of people who asked not to be called are listed here. They are added on this page, by the API, and in a call when the person asks for it."}

// nothing found
var NoneTitle = locale.Text{"لا رقم يطابق", "No number matches"}
var NoneText = locale.Text{"لا شيء في القائمة فيه هذا الرقم.", "This number is not on the list."}
var Imported = locale.CountedPair{locale.ArabicNoun("", "لم يُستورد أي رقم", "استُورد رقم واحد", "استُورد رقمان", "أرقام استُوردت", "رقمًا استُورد", "رقم استُورد", "."), locale.EnglishCount("One number was imported.", "{n} numbers were imported.")}
var Refused = locale.CountedPair{locale.ArabicNoun("", "لم يُرفض أي سطر", "رُفض سطر واحد", "رُفض سطران", "أسطر رُفضت", "سطرًا رُفض", "سطر رُفض", "."), locale.EnglishCount("One line was refused.", "{n} lines were refused.")}
var ImportedPart = locale.Text{"أُضيف ما صحّ من الأسطر. صحّح ما في الجدول وأعد رفعه وحده.", "The valid lines were added. Correct those in the table and upload only them."}
var Nothing = locale.Text{"ليس في الملف أي رقم.", "There is no number in the file."}
var Row = locale.Text{"السطر", "Line"}
var Problem = locale.Text{"ما الخطأ", "What is wrong"}
var ReportTitle = locale.Text{"نتيجة الاستيراد", "Result of the import"}
var BadNumber = locale.Text{"ليس رقم هاتف كاملًا. اكتبه مثل \u20660512345601\u2069 أو \u2066+966512345601\u2069.", "Not a complete telephone number. Write it as 0512345601 or +966512345601."}
var BadReason = locale.Text{"السبب أطول من 500 حرف. اختصره.", "The reason has more than 500 characters. Shorten it."}
var BadUntil = locale.Text{"اكتب التاريخ هكذا: \u20662026-12-25\u2069.", "Write the date as 2026-12-25."}
var BadPast = locale.Text{"هذا التاريخ مضى. اختر تاريخًا آتيًا.", "This date is in the past. Choose a future one."}
var NotUTF8 = locale.Text{"الملف ليس بترميز UTF-8. احفظه بهذا الترميز.", "The file is not UTF-8. Save it in that encoding."}
var NotCSV = locale.Text{"هذا ليس ملف CSV سليمًا. صحّحه ثم ارفعه.", "This is not a valid CSV file. Correct it and upload it again."}
var TooBig = locale.Text{"الملف أكبر من المسموح. قسّمه.", "The file is larger than allowed. Split it."}
var TooMany = locale.Text{"أسطر مرفوضة أخرى كثيرة لا تظهر هنا.", "Many more refused lines are not shown."}
var FromAPI = locale.Text{"برنامج عبر API", "API"}
var FromConsole = locale.Text{"لوحة التحكم", "Console"}
var FromCSV = locale.Text{"ملف CSV", "CSV file"}
var FromCall = locale.Text{"طلب في مكالمة", "Requested in a call"}
var FromCarrier = locale.Text{"شركة الاتصالات: رقم لا وجود له", "Carrier: no such number"}
var FromErasure = locale.Text{"حذف بيانات", "Erasure"}
var AskedInCall = locale.Text{"طلب صاحبه ألا يُتصل به", "The person asked not to be called"}
var NoSuchNumber = locale.Text{"تقول شركة الاتصالات: لا وجود لهذا الرقم", "The carrier says that there is no such number"}

// ReasonText returns the display text of an entry's reason: in the page's language where calls wrote it, otherwise as a
// person wrote it.
func ReasonText(l locale.Language, source, reason string) string {
	switch source {
	case "call":
		return AskedInCall.In(l)
	case "carrier":
		return NoSuchNumber.In(l)
	default:
		return reason
	}
}

// SourceName returns the display name of an entry's source.
func SourceName(l locale.Language, source string) string {
	name := map[string]locale.Text{
		"api": FromAPI, "console": FromConsole, "csv": FromCSV, "call": FromCall, "carrier": FromCarrier,
		"erasure": FromErasure,
	}[source].In(l)
	if name == "" {
		return source
	}
	return name
}

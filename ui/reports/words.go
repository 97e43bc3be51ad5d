// Package reports holds what a person sees of reports.
package reports

import "munadi/ui/locale"

var BadPeriod = locale.Text{"اختر يومًا أو أسبوعًا أو شهرًا.", "Choose day, week or month."}
var Unread = locale.Text{"لا يُعرض تقرير حتى تُصحَّح الفترة.", "No report is shown until the period is corrected."}
var Title = locale.Text{"التقارير", "Reports"}
var Lead = locale.Text{"كيف سارت المكالمات، بحسب موعد الاتصال.", "How calls went, by their dial time."}
var By = locale.Text{"كل صف", "Each row is a"}
var Day = locale.Text{"يوم", "day"}
var Week = locale.Text{"أسبوع", "week"}
var Month = locale.Text{"شهر", "month"}
var From = locale.Text{"من يوم", "From day"}
var To = locale.Text{"إلى يوم", "To day"}
var Scenario = locale.Text{"السيناريو", "Scenario"}
var Every = locale.Text{"كل السيناريوهات", "All scenarios"}
var Show = locale.Text{"اعرض", "Show"}
var Print = locale.Text{"طباعة", "Print"}
var Zone = locale.Text{"المنطقة الزمنية", "Time zone"}
var Made = locale.Text{"أُعدّ في", "Made at"}
var None = locale.Text{"لا مكالمات في هذه الفترة.", "There are no calls in this period."}
var Period = locale.Text{"الفترة", "Period"}
var Ended = locale.Text{"اتُّصل بهم", "Called"}
var Reached = locale.Text{"اكتملت", "Reached"}
var Percent = locale.Text{"نسبة المكتملة", "Reached, %"}
var Confirmed = locale.Text{"أكّدوا", "Confirmed"}
var Unreached = locale.Text{"لم تتمّ", "Not reached"}
var Failed = locale.Text{"فشلت", "Failed"}
var Cancelled = locale.Text{"أُلغيت", "Cancelled"}
var Waiting = locale.Text{"في الانتظار", "Waiting"}
var CalledIn = locale.Text{"اتصلوا بكم", "Called you"}
var CalledInConfirmed = locale.Text{"اتصلوا وأكّدوا", "Called you, confirmed"}
var EndedNote = locale.Text{"مكالمات انتهت، دون الملغاة", "Calls that ended, cancelled ones left out"}
var ConfirmedNote = locale.Text{"ممن اتُّصل بهم، أجابوا بنعم عن سؤال التأكيد", "Of those called, answered the confirmation question with yes"}
var Before = locale.Text{"قبلها {was}", "before: {was}"}
var Cut = locale.Text{"للتقرير {n} صفًا على الأكثر: يبدأ من {from}. اختر مدة أقصر، أو أسابيع أو أشهرًا.", "A report has at most {n} rows: it begins on {from}. Choose a shorter time, weeks or months."}
var BeforeIs = locale.Text{"«قبلها» هي الفترة السابقة بالطول نفسه وحتى الوقت نفسه منها", "“Before” is the earlier period of the same length, up to the same time of it"}
var BestHour = locale.Text{"أفضل ساعة", "Best hour"}
var BestHourNone = locale.Text{"لا تُقارن إلا ساعة فيها عشر مكالمات على الأقل.", "Only hours with at least ten calls are compared."}
var Reply = locale.Text{"انتظار الرد، بالثواني", "Wait for a reply, in seconds"}
var ReplyNone = locale.Text{"لا ردود في هذه الفترة.", "No replies in this period."}
var ReplyNote = locale.Text{"الوسيط؛ و95% من الردود خلال {seconds} ث، في أحدث {calls} من المكالمات المكتملة", "Median; 95% of the replies come within {seconds} s, in the newest {calls} completed calls"}
var BestHourNote = locale.Text{"اكتمل فيها {percent} من المكالمات", "{percent} of its calls were reached"}
var ByPeriod = locale.Text{"المكالمات بالفترة والنتيجة", "Calls by period and outcome"}
var ByHour = locale.Text{"المكالمات بساعة الاتصال والنتيجة", "Calls by hour of the day and outcome"}
var ByScenario = locale.Text{"بحسب السيناريو", "By scenario"}
var ByCaller = locale.Text{"بحسب رقم المتصل الظاهر", "By caller number"}
var ByCallerHint = locale.Text{"كم مكالمة رُدّ عليها من كل رقم ظهر للناس. رقم تقلّ نسبته كثيرًا عن غيره ربما وُسم مزعجًا.", "How many calls were answered, by the number that people saw. One with a much lower rate than the others may be marked as spam."}
var CallerNumber = locale.Text{"رقم المتصل", "Caller number"}
var Answered = locale.Text{"رُدّ عليها", "Answered"}
var AnswerRate = locale.Text{"نسبة الرد", "Answer rate"}
var ByCampaign = locale.Text{"بحسب الحملة", "By campaign"}
var Campaign = locale.Text{"الحملة", "Campaign"}
var Options = locale.Text{"خيارات التقرير", "Options of the report"}

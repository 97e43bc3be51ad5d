package campaigns

import "munadi/ui/locale"

// Questions and doubts about the values of a booking: dates, times, and what a call lacks. They name the variable {name}, its
// text {value}, what it is read as {read}, and of several rows their {count} and an {example}.

var ImportUnreadable = locale.Text{"{name}: «\u2068{value}\u2069» لا يُقرأ. اكتب تاريخًا مثل \u20662026-01-31\u2069 أو 1448/06/15، ووقتًا مثل 16:30 أو 4:30 م.", "{name}: “{value}” cannot be read. Write a date such as 2026-01-31 or 1448/06/15, a time such as 16:30 or 4:30 PM."}
var ImportNoSuchDay = locale.Text{"{name}: «\u2068{value}\u2069» ليس يومًا في التقويم.", "{name}: “{value}” is not a day of the calendar."}
var ImportRelativeDay = locale.Text{"{name}: «\u2068{value}\u2069» يتغير معناه بيوم كتابته. اكتب التاريخ.", "{name}: “{value}” depends on the day on which it was written. Write the date."}
var ImportHourMissing = locale.Text{"{name}: «\u2068{value}\u2069» بلا ساعة. اكتب الساعة، مثل 4:30 م.", "{name}: “{value}” names no hour. Write it, such as 4:30 PM."}
var ImportOrderUnknown = locale.Text{"{name}: «\u2068{value}\u2069» يُقرأ على وجهين. اختر ترتيب اليوم والشهر، أو اكتبه مثل \u20662026-01-31\u2069.", "{name}: “{value}” can be read in two ways. Choose the order of day and month, or write it as 2026-01-31."}
var ImportClockUnknown = locale.Text{"{name}: «\u2068{value}\u2069» يُقرأ على وجهين. اكتب 16:30 أو 4:30 م أو 4:30 ص.", "{name}: “{value}” can be read in two ways. Write 16:30, 4:30 PM or 4:30 AM."}
var ImportYearAssumed = locale.Text{"{name}: «\u2068{value}\u2069» بلا سنة، فيُفهم {read}.", "{name}: “{value}” has no year and is taken for {read}."}
var ImportPastDay = locale.Text{"{name}: مضى {read}.", "{name}: {read} has passed."}
var ImportFarDay = locale.Text{"{name}: {read} بعد أكثر من سنتين.", "{name}: {read} is more than two years away."}
var ImportNightTime = locale.Text{"{name}: {read} في الليل قبل السادسة صباحًا.", "{name}: {read} is at night, before 6 in the morning."}
var ImportMissingValue = locale.Text{"{name}: لا قيمة، والمكالمة تقولها.", "{name} is missing, and the call speaks it."}
var ImportManyYearAssumed = locale.Text{"{name} بلا سنة، فيُفهم أقرب يوم قادم، مثل {example}. الصفوف: {count}. اتصل بأصحابها كما فُهم.", "{name} has no year and is taken for the next such day, such as {example}. Rows: {count}. Call them as it was taken."}
var ImportManyPastDay = locale.Text{"{name} يوم مضى، مثل {example}. الصفوف: {count}. اتصل بأصحابها كما هو.", "{name} has passed, such as {example}. Rows: {count}. Call them as it is."}
var ImportManyFarDay = locale.Text{"{name} بعد أكثر من سنتين، مثل {example}. الصفوف: {count}. اتصل بأصحابها كما هو.", "{name} is more than two years away, such as {example}. Rows: {count}. Call them as it is."}
var ImportManyNightTime = locale.Text{"{name} في الليل، مثل {example}. الصفوف: {count}. اتصل بأصحابها كما هو.", "{name} is at night, such as {example}. Rows: {count}. Call them as it is."}
var ImportManyMissing = locale.Text{"{name}: لا قيمة. الصفوف: {count}. اتصل بأصحابها من دون أن تُقال.", "{name} is missing. Rows: {count}. Call them without saying it."}
var ImportDoubtTitle = locale.Text{"قيم تحتاج إلى تأكيد", "Values to confirm"}
var ImportDoubtLead = locale.Text{"لا يُتصل بأصحاب هذه الصفوف ما لم تصحَّح أو تؤكَّد هنا. بعد الاختيار أعد الفحص.", "These rows are not called unless they are corrected, or confirmed here. Check again after choosing."}
var ImportAskOrder = locale.Text{"{name}: كيف يُقرأ «\u2068{value}\u2069»؟", "{name}: how is “{value}” read?"}
var ImportAskClock = locale.Text{"{name}: متى «\u2068{value}\u2069»؟", "{name}: when is “{value}”?"}
var ImportAskLead = locale.Text{"كل قيم العمود تُقرأ هكذا.", "All values of the column are read like this."}
var ImportHijriDay = locale.Text{"{name}: \u2068{value}\u2069 بالتقويم الهجري هو {read}.", "{name}: {value} in the Hijri calendar is {read}."}
var ImportPreview = locale.Text{"هكذا ستُقال المكالمة", "This is how the call will sound"}
var ImportPreviewLead = locale.Text{"من أولها إلى أول سؤال، لكل صف جاهز.", "From its beginning to the first question, for every ready row."}
var ImportPreviewRow = locale.Text{"الصف {row}", "Row {row}"}
var ImportPreviewSilent = locale.Text{"لا صوت يقول «{line}»، فلن يُقال.", "No voice can say “{line}”, so it is left out."}
var ImportPreviewNone = locale.Text{"لا صف جاهز بعد.", "No row is ready yet."}
var ImportPreviewFailed = locale.Text{"تعذر عرض ما سيُقال لهذا الصف.", "What this row's call says cannot be shown."}
var ImportHear = locale.Text{"اسمع", "Listen"}
var ImportMore = locale.Text{"الصفوف التالية", "Further rows"}
var ImportFewer = locale.Text{"الصفوف السابقة", "Earlier rows"}
var ImportFind = locale.Text{"اسم أو رقم أو رقم صف", "Name, number or row"}
var ImportFindButton = locale.Text{"اعرض", "Show"}
var ImportNoneFound = locale.Text{"لا صف جاهز فيه «{text}».", "No ready row has “{text}”."}
var ImportSure = locale.Text{"نعم، هذا ما أريد", "Yes, this is what I want"}
var ImportNotConfirmed = locale.Text{"أكّد أولًا بمن يُتصل وبأي سيناريو.", "First confirm who is called, and with which scenario."}
var ImportAsLast = locale.Text{"كما استُعمل آخر مرة لهذه الأعمدة", "As last time for these columns"}

var ImportAskTwo = locale.Text{"في الخانة رقمان، مثل «\u2068{value}\u2069». الصفوف: {count}. بأيهما يُتصل؟", "A cell has two numbers, such as “{value}”. Rows: {count}. Which one is called?"}
var ImportCallFirst = locale.Text{"الأول", "The first"}
var ImportCallSecond = locale.Text{"الثاني", "The second"}
var ImportCallBoth = locale.Text{"كلاهما: مكالمتان، الثانية بعد الأولى بربع ساعة أو أكثر", "Both: two calls, the second at least a quarter of an hour after the first"}
var ImportTwoNumbers = locale.Text{"في الخانة رقمان. اختر أعلاه بأيهما يُتصل.", "The cell has two numbers. Choose above which one is called."}
var ImportAskShared = locale.Text{"أكثر من شخص على رقم واحد. الصفوف: {count}. بمن يُتصل؟", "Several people have the same number. Rows: {count}. Who is called?"}
var ImportCallEach = locale.Text{"كل واحد منهم، مكالمة بعد أخرى", "Each of them, one call after another"}
var ImportCallOnce = locale.Text{"الأول من كل رقم فقط", "Only the first of each number"}
var ImportSharedLead = locale.Text{"لا يرن رقم لمكالمتين معًا: تنتظر الثانية حتى تنتهي الأولى.", "No number rings for two calls at once: the second waits until the first has ended."}
var ImportSharedLimit = locale.Text{"حد المحاولات لكل رقم في اليوم في القواعد: {count}. ما زاد عليه لا يُتصل به.", "The rules' limit of attempts to a number a day: {count}. Calls beyond it are not made."}
var ImportChoose = locale.Text{"اختر أولًا.", "Choose first."}

// ImportStartCalls says what the start does, with {scenario} and {hours}.
var ImportStartCalls = locale.CountedPair{
	locale.ArabicCount(
		"لا يُتصل بأحد بسيناريو «{scenario}»، {hours}.", "يُتصل بشخص واحد بسيناريو «{scenario}»، {hours}.",
		"يُتصل بشخصين بسيناريو «{scenario}»، {hours}.", "يُتصل بـ{n} أشخاص بسيناريو «{scenario}»، {hours}.",
		"يُتصل بـ{n} شخصًا بسيناريو «{scenario}»، {hours}.", "يُتصل بـ{n} شخص بسيناريو «{scenario}»، {hours}.",
	),
	locale.EnglishCount("Calls one person with “{scenario}”, {hours}.", "Calls {n} people with “{scenario}”, {hours}."),
}

// ImportAllDay are the hours of ImportStartCalls on a day without closed ones.
var ImportAllDay = locale.Text{"{day} طوال اليوم", "{day}, all day"}

// DoubtAbout returns the sentence for a doubt of package contactfile; empty for none.
func DoubtAbout(l locale.Language, doubt string) string {
	return map[string]locale.Text{
		"unreadable": ImportUnreadable, "no_such_day": ImportNoSuchDay, "relative_day": ImportRelativeDay,
		"hour_missing": ImportHourMissing, "order_unknown": ImportOrderUnknown, "clock_unknown": ImportClockUnknown,
		"year_assumed": ImportYearAssumed, "past_day": ImportPastDay, "far_day": ImportFarDay,
		"night_time": ImportNightTime, "missing_value": ImportMissingValue, "hijri_day": ImportHijriDay,
	}[doubt].In(l)
}

// AskAboutMany returns the question whether rows with a doubt are called as they are.
func AskAboutMany(l locale.Language, doubt string) string {
	return map[string]locale.Text{
		"year_assumed": ImportManyYearAssumed, "past_day": ImportManyPastDay, "far_day": ImportManyFarDay,
		"night_time": ImportManyNightTime, "missing_value": ImportManyMissing,
	}[doubt].In(l)
}

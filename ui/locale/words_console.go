package locale

// Texts of the frame around every page of the console.

// suffix of a page's title
var ConsoleTitle = Text{"مُنادي", "Munadi"}

// accessible name of the navigation
var ConsoleNavigation = Text{"أقسام لوحة التحكم", "Sections of the console"}

// opens the sections that a telephone's bar has no room for
var ConsoleMore = Text{"المزيد", "More"}
var ConsoleSignOut = Text{"تسجيل الخروج", "Sign out"}
var ConsoleAccount = Text{"حسابي", "My account"}

// the badge: no telephone rings
var ConsoleSimulator = Text{"محاكاة", "Simulator"}

// its long form
var ConsoleSimulatorL = Text{"شبكة محاكاة: لا يرنّ أي هاتف حقيقي.", "A simulated network: no telephone rings."}

// the search over everything
var ConsoleUnnamed = Text{"هذا البحث ناقص: ما زالت المكالمات التي حجزها إصدار أقدم تُضاف إلى البحث بالاسم.", "This search is incomplete: calls that an older version booked are still being added to the search by name."}
var ConsolePalette = Text{"بحث", "Search"}
var ConsolePaletteHint = Text{"صفحة أو اسم أو رقم أو حملة أو سيناريو", "A page, name, number, campaign or scenario"}
var ConsolePaletteMore = Text{"كل ما يطابق", "All that match"}
var ConsolePaletteNone = Text{"لا شيء يطابق.", "Nothing matches."}

// kinds of results
var ConsolePalettePages = Text{"صفحة", "Page"}
var ConsolePalettePeople = Text{"شخص", "Person"}
var ConsolePaletteCalls = Text{"مكالمة", "Call"}

// the kill switch in the navigation
var ConsoleStop = Text{"إيقاف الاتصال", "Stop calling"}
var ConsoleStopped = Text{"الاتصال متوقف", "Calling is stopped"}
var ConsoleStopTitle = Text{"إيقاف كل الاتصال؟", "Stop all calling?"}
var ConsoleStopText = Text{"لا تبدأ أي مكالمة جديدة حتى تستأنف. المكالمات الجارية تكتمل، ولا يُلغى شيء.", "No new call is dialled until you resume. Running calls end by themselves, and nothing is cancelled."}
var ConsoleStopDo = Text{"نعم، أوقف الاتصال", "Yes, stop calling"}

// the same in the bar of a telephone, one word
var ConsoleStopShort = Text{"إيقاف", "Stop"}
var ConsoleStoppedShort = Text{"متوقف", "Stopped"}
var ConsoleQueue = Text{"تحتاج إلى موظف", "Needs staff"}
var ConsoleAlerts = Text{"التنبيهات", "Alerts"}

// of a form that could not be sent
var ConsoleUnreached = Text{"لا يجيب الخادم، ولم يُرسل شيء. ما كتبته باقٍ في هذه الصفحة: أبقها مفتوحة، واضغط الزر من جديد حين يعود الاتصال.", "The appliance does not answer, and nothing was sent. What you typed is still on this page: keep it open, and press the button again when the connection is back."}
var ConsoleUnreachedClose = Text{"حسنًا", "OK"}

// of an alert on every page
var ConsoleAlertGo = Text{"اذهب إليه", "Go there"}
var ConsoleAlertAll = Text{"كل التنبيهات", "All alerts"}
var ConsoleAlertMore = CountedPair{ArabicNoun("و", "لا تنبيهات أخرى", "تنبيه آخر", "تنبيهان آخران", "تنبيهات أخرى", "تنبيهًا آخر", "تنبيه آخر", ""), EnglishCount("and one more alert", "and {n} more alerts")}

// damaged records are missing from the page
var ConsoleIncomplete = Text{"هذه الصفحة ناقصة: في قاعدة البيانات سجلات تالفة لا يمكن قراءتها. أبلغ مدير الخادم.", "This page is incomplete: records of the database are damaged and cannot be read. Tell the administrator of the appliance."}
var ConsoleSetUp = Text{"الإعداد", "Set-up"}
var ConsoleAdministration = Text{"الإدارة", "Administration"}

// titles of sections that others lead to
var RulesTitle = Text{"قواعد الاتصال", "Dialling rules"}
var SuppressionList = Text{"قائمة المنع", "Suppression list"}
var WebhookTitle = Text{"الإشعارات", "Webhook"}

// subject of the e-mail that says that an alert's cause is gone
var AlertOver = Text{"انتهى: {title}", "Over: {title}"}

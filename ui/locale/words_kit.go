package locale

// Texts of components, the same on every page.

var KitPages = Text{"صفحات القائمة", "Pages of the list"}
var KitPrevious = Text{"السابق", "Previous"}
var KitNext = Text{"التالي", "Next"}
var KitCopy = Text{"نسخ", "Copy"}
var KitCopied = Text{"نُسخ", "Copied"}

// of a list
var KitSearch = Text{"بحث", "Search"}
var KitAll = Text{"الكل", "All"}
var KitCSV = Text{"تنزيل CSV", "Download CSV"}
var KitWorkbook = Text{"تنزيل Excel", "Download Excel"}
var KitNoMatch = Text{"لا سطر يطابق البحث.", "No line matches the search."}
var KitBadDay = Text{"«{typed}» ليس تاريخًا. اكتبه مثل \u20662026-01-31\u2069.", "“{typed}” is not a date. Write one such as 2026-01-31."}
var KitBadFilter = Text{"لا يمكن التصفية بـ «{typed}».", "“{typed}” cannot be filtered by."}
var KitTurnedRange = Text{"آخر يوم قبل أول يوم.", "The last day is before the first day."}
var KitBadNumber = Text{"اكتب عددًا.", "Write a number."}

// how long ago a moment was
var KitJustNow = Text{"الآن", "just now"}
var KitMinutesAgo = CountedPair{ArabicNoun("منذ ", "0 دقائق", "دقيقة واحدة", "دقيقتين", "دقائق", "دقيقة", "دقيقة", ""), EnglishCount("1 minute ago", "{n} minutes ago")}
var KitHoursAgo = CountedPair{ArabicNoun("منذ ", "0 ساعات", "ساعة واحدة", "ساعتين", "ساعات", "ساعة", "ساعة", ""), EnglishCount("1 hour ago", "{n} hours ago")}

// player of a recording
var KitPlay = Text{"شغّل", "Play"}
var KitPause = Text{"أوقف مؤقتًا", "Pause"}
var KitPosition = Text{"الموضع من البداية، من اليسار إلى اليمين", "Position from the beginning, left to right"}
var KitSpeed = Text{"السرعة", "Speed"}
var KitSkipSilence = Text{"تخطَّ الصمت", "Skip silence"}
var KitPlayerKeys = Text{"لوحة المفاتيح: مسافة للتشغيل، ← و→ خمس ثوانٍ، [ و] للسرعة، s لتخطي الصمت.", "Keyboard: space plays, ← and → five seconds, [ and ] the speed, s skips silence."}
var KitBack = Text{"رجوع", "Back"}
var KitSave = Text{"حفظ", "Save"}
var KitAdd = Text{"إضافة", "Add"}
var KitDelete = Text{"حذف", "Delete"}
var KitState = Text{"الحالة", "State"}
var KitCallsNow = Text{"المكالمات الآن", "Calls now"}
var KitLinesFull = Text{"كل الخطوط مشغولة", "All lines in use"}
var KitName = Text{"الاسم", "Name"}
var KitWhen = Text{"متى", "When"}
var KitCreated = Text{"أُنشئ", "Created"}
var KitNothingSaved = Text{"لم يُحفظ شيء: صحّح ما أُشير إليه أدناه.", "Nothing was saved: correct what is marked below."}
var KitLastUsed = Text{"آخر استعمال", "Last used"}
var KitNumber = Text{"الرقم", "Number"}
var KitTimeZone = Text{"المنطقة الزمنية", "Time zone"}
var KitUserName = Text{"اسم المستخدم", "User name"}
var KitPassword = Text{"كلمة المرور", "Password"}
var KitPasswordAgain = Text{"مرة أخرى", "Once more"}
var KitKeyOnce = Text{"يظهر هذا المفتاح الآن فقط. انسخه إلى مكان آمن.", "This key is shown now and never again. Copy it to a safe place."}
var KitNoFile = Text{"اختر ملفًا أولًا.", "Choose a file first."}

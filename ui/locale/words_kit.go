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

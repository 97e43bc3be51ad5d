package scenarios

import "munadi/ui/locale"

// Texts of the pages of a scenario's versions.

var VersionsTitle = locale.Text{"إصدارات السيناريو", "Versions of the scenario"}
var VersionsLead = locale.Text{"يُحتفظ بآخر 100 حفظ. تبقى المكالمة على الإصدار الذي حُجزت به، إلا إن اختير في الإعدادات أن تسير المحجوزة بآخر إصدار.", "The last 100 saves are kept. A call keeps the version that it was booked with, unless the settings say that booked calls follow the newest."}
var VersionsNone = locale.Text{"لا إصدارات بعد. يبدأ الاحتفاظ بها من أول حفظ.", "No versions yet. They are kept from the first save on."}
var VersionsNumber = locale.Text{"الإصدار {n}", "Version {n}"}
var VersionsUnknown = locale.Text{"غير معروف", "unknown"}
var VersionsCurrent = locale.Text{"المستعمل الآن", "in use"}
var VersionsChanges = locale.Text{"ما تغيّر", "Changes"}
var VersionsRestore = locale.Text{"استعد الإصدار {n}", "Restore version {n}"}
var VersionsDifference = locale.Text{"ما تغيّر في الإصدار {n}", "Changes in version {n}"}
var VersionsDifferenceLead = locale.Text{"مقارنةً بالإصدار {n}.", "Compared with version {n}."}
var VersionsFirstLead = locale.Text{"هذا أول إصدار محفوظ.", "This is the first version that was kept."}
var VersionsBuiltInLead = locale.Text{"مقارنةً بالسيناريو المدمج.", "Compared with the built-in scenario."}
var VersionsSame = locale.Text{"لا فرق بينهما.", "There is no difference."}
var VersionsScript = locale.Text{"ما تغيّر", "What changed"}
var VersionsSource = locale.Text{"JSON", "JSON"}
var VersionsAdded = locale.Text{"أُضيف:", "added:"}
var VersionsRemoved = locale.Text{"حُذف:", "removed:"}
var VersionsKept = locale.Text{"كما كان:", "unchanged:"}
var VersionsNoSpeech = locale.Text{"لم يتغير ما يُقال ويُسأل؛ تغيّرت إعدادات أخرى تظهر في JSON.", "What is said and asked is the same; other settings changed, which the JSON shows."}
var PartAdded = locale.Text{"مضاف", "added"}
var PartRemoved = locale.Text{"محذوف", "removed"}
var PartMoved = locale.Text{"منقول", "moved"}
var PartChanged = locale.Text{"متغيّر", "changed"}
var ReviewTitle = locale.Text{"ما يغيّره النشر", "What publishing changes"}
var ReviewBuiltIn = locale.Text{"مقارنةً بالسيناريو المدمج الذي تسير به المكالمات الآن.", "Compared with the built-in scenario, which calls follow now."}
var ReviewLead = locale.Text{"مقارنةً بالإصدار {n} الذي تسير به المكالمات الآن.", "Compared with version {n}, which calls follow now."}
var ReviewKeep = locale.Text{"تبقى المكالمات المحجوزة على الإصدار الذي حُجزت به.", "Booked calls keep the version that they were booked with."}
var ReviewFollow = locale.Text{"تسير المكالمات المحجوزة أيضًا بما تنشره.", "Booked calls follow what you publish, too."}
var ReviewDo = locale.Text{"انشر هذه التغييرات", "Publish these changes"}
var VersionsSkipped = locale.CountedPair{locale.ArabicNoun("… ", "لا أسطر كما كانت", "سطر واحد كما كان", "سطران كما كانا", "أسطر كما كانت", "سطرًا كما كان", "سطر كما كان", ""), locale.EnglishCount("… one unchanged line", "… {n} unchanged lines")}
var VersionsBack = locale.Text{"رجوع", "Back"}

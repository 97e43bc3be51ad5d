package scenarios

import "munadi/ui/locale"

// Texts of the map of a scenario's flow.

var MapTitle = locale.Text{"خريطة المكالمة", "Map of the call"}
var MapAsList = locale.Text{"الخريطة كقائمة", "The map as a list"}
var MapOver = locale.Text{"نهاية المكالمة", "End of the call"}
var MapFailure = locale.Text{"بلا إجابة", "no answer"}
var MapTransferred = locale.Text{"حُوِّلت", "transferred"}
var MapBegins = locale.Text{"تبدأ هنا", "begins here"}
var MapAnswered = locale.Text{"أجاب {n} من {all}", "{n} of {all} answered"}
var MapCounted = locale.Text{"الأعداد من تقارير مكالمات هذا السيناريو.", "The figures are from the reports of this scenario's calls."}

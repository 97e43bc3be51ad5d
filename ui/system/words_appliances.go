package system

import "munadi/ui/locale"

// Texts of those of the list of appliances that share a database.

var AppliancesTitle = locale.Text{"الخوادم", "Appliances"}
var AppliancesLead = locale.Text{"كل خوادم مُنادي التي تشترك في قاعدة البيانات هذه. تُحدَّث حالتها كل خمس ثوانٍ، فأعد تحميل الصفحة لرؤيتها.", "All appliances that share this database. Their state is updated every five seconds; reload the page to see it."}
var AppliancesName = locale.Text{"الخادم", "Appliance"}
var AppliancesHere = locale.Text{"هذا الخادم", "this one"}
var AppliancesWorks = locale.Text{"يعمل", "working"}
var AppliancesHindered = locale.Text{"به خلل", "impaired"}
var AppliancesGone = locale.Text{"منقطع", "unreachable"}
var AppliancesLines = locale.Text{"الخطوط المشغولة", "Lines in use"}
var AppliancesQueue = locale.Text{"انتظار التعرّف", "Waiting for recognition"}
var AppliancesRole = locale.Text{"الدور", "Role"}
var AppliancesVersion = locale.Text{"الإصدار", "Version"}
var AppliancesModel = locale.Text{"النموذج", "Model"}
var AppliancesStarted = locale.Text{"بدأ", "Started"}
var AppliancesHeard = locale.Text{"آخر اتصال منه", "Last heartbeat"}
var AppliancesLoading = locale.Text{"يُحمَّل الآن", "loading"}
var AppliancesRoleAll = locale.Text{"كل الخدمات", "everything"}
var AppliancesRoleSTT = locale.Text{"التعرّف وحده", "speech-to-text"}

// AppliancesRoleName returns the display name of a role; the role itself without one.
func AppliancesRoleName(l locale.Language, role string) string {
	switch role {
	case "all":
		return AppliancesRoleAll.In(l)
	case "stt":
		return AppliancesRoleSTT.In(l)
	}
	return role
}

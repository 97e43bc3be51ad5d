package locale

// AuditWords is the page of the audit log.
type AuditWords struct {
	Title, Lead, When, Who, What, On, Note, Filter, FilterDo, All, CSV, Next, First, Empty, EmptyDo, Nothing string
	Partly                                                                                                   string
	Appliance, CommandLine, SetUpLink, Key, Address                                                          string
}

// AuditIn returns its strings.
func AuditIn(l Language) AuditWords {
	return pickLanguage(l, AuditWords{
		Title: "سجل التغييرات", Lead: "من فعل ماذا ومتى. لا يُحذف منه شيء.", When: "متى", Who: "من", What: "ماذا", On: "على", Note: "تفصيل",
		Filter: "بحث في السجل", FilterDo: "بحث", All: "الكل", CSV: "تنزيل CSV", Next: "الأقدم", First: "الأحدث",
		Empty: "لا شيء في السجل بعد", EmptyDo: "يظهر هنا كل تغيير: المفاتيح والقواعد والمستخدمون والإلغاء والحذف.",
		Nothing: "لا سطر يطابق البحث.", Partly: "بُحث في جزء من السجل؛ تابع إلى الأقدم.",
		Appliance: "الخادم", CommandLine: "سطر الأوامر", SetUpLink: "رابط الإعداد", Key: "مفتاح", Address: "عنوان",
	}, AuditWords{
		Title: "Audit log", Lead: "Who did what, and when. Nothing is ever removed from it.", When: "When", Who: "Who", What: "What", On: "On", Note: "Detail",
		Filter: "Search the log", FilterDo: "Search", All: "All", CSV: "Download CSV", Next: "Older", First: "Newest",
		Empty: "Nothing in the log yet", EmptyDo: "Every change is listed here: keys, rules, users, cancellations, erasures.",
		Nothing: "No line matches.", Partly: "A part of the log was searched; go on to older lines.",
		Appliance: "appliance", CommandLine: "command line", SetUpLink: "set-up link", Key: "key", Address: "address",
	})
}

// ActionName returns the display name of an action of the audit trail; the action itself without one.
func ActionName(l Language, action string) string {
	name := pickLanguage(l, actionsArabic(), actionsEnglish())[action]
	if name == "" {
		return action
	}
	return name
}

func actionsArabic() map[string]string {
	return map[string]string{
		"user.create": "أضاف مستخدمًا", "user.role": "غيّر دور مستخدم", "user.password": "غيّر كلمة مرور", "user.rehash": "حدّث تشفير كلمة مرور", "user.views": "غيّر عروضه المحفوظة",
		"user.disable": "أوقف مستخدمًا", "user.enable": "فعّل مستخدمًا", "user.delete": "حذف مستخدمًا", "user.sign_in": "سجّل الدخول",
		"user.sign_in_refused": "رُفض تسجيل دخوله", "key.create": "أنشأ مفتاحًا", "key.revoke": "ألغى مفتاحًا", "webhook.put": "غيّر الإشعارات",
		"alert.acknowledge": "اطّلع على تنبيه", "alert.recipients": "غيّر بريد التنبيهات", "alert.mail_test": "جرّب بريد التنبيهات",
		"delivery.redeliver": "أعاد إرسال إشعار", "rules.put": "غيّر قواعد الاتصال", "scenario.create": "أضاف سيناريو", "scenario.put": "غيّر سيناريو",
		"scenario.delete": "حذف سيناريو", "line.record": "سجّل سطرًا بصوت", "line.unrecord": "حذف تسجيل سطر", "call.cancel": "ألغى مكالمة", "call.note": "كتب ملاحظة على مكالمة", "call.needs_person": "علّم مكالمة لموظف", "call.taken": "تولّى مكالمة", "call.left": "ترك مكالمة لغيره", "call.done": "أنهى متابعة مكالمة", "call.corrected": "صحّح مكالمة", "call.reschedule": "غيّر موعد مكالمة", "call.hangup": "أنهى مكالمة", "call.listen": "استمع إلى مكالمة جارية",
		"person.erase": "حذف بيانات شخص", "suppression.put": "أضاف رقمًا إلى قائمة المنع", "suppression.delete": "أزال رقمًا من قائمة المنع", "organization.create": "أضاف منظمة",
		"phrases.put": "غيّر عبارات المطعم", "backup.make": "طلب نسخة احتياطية", "webhook.test": "جرّب الإشعارات", "call.create": "حجز مكالمة", "call.import": "استورد حملة",
		"campaign.create": "أنشأ حملة", "campaign.pause": "أوقف حملة مؤقتًا", "campaign.resume": "استأنف حملة", "campaign.cancel": "ألغى حملة",
		"campaign.close": "أغلق حملة انتهى وقتها", "campaign.retry": "أعاد الاتصال بمن تعذّر الوصول إليهم في حملة",
		"live.start": "فتح ميكروفونًا", "live.stop": "أوقف ميكروفونًا", "live.delete": "حذف جلسة مباشرة", "user.sign_out": "سجّل الخروج",
		"user.sessions_end": "أنهى جلسات حسابه", "phrases.reset": "أعاد عبارات المطعم المدمجة",
		"model.request": "طلب تثبيت نموذج", "model.install": "ثُبّت نموذج", "model.fail": "لم يُثبَّت نموذج", "model.cancel": "أوقف تثبيت نموذج",
		"model.forget": "أغلق تثبيت نموذج", "model.use": "بدّل نموذج التعرّف", "model.remove": "حذف نموذجًا",
	}
}

func actionsEnglish() map[string]string {
	return map[string]string{
		"user.create": "added a user", "user.role": "changed a user's role", "user.password": "changed a password", "user.rehash": "renewed a password's hash", "user.views": "changed the saved views",
		"user.disable": "disabled a user", "user.enable": "enabled a user", "user.delete": "deleted a user", "user.sign_in": "signed in",
		"user.sign_in_refused": "was refused a sign-in", "key.create": "made a key", "key.revoke": "revoked a key", "webhook.put": "changed the webhook",
		"alert.acknowledge": "acknowledged an alert", "alert.recipients": "changed the addresses of alerts", "alert.mail_test": "tried the e-mail of alerts",
		"delivery.redeliver": "sent a webhook again", "rules.put": "changed the dialling rules", "scenario.create": "added a scenario", "scenario.put": "changed a scenario",
		"scenario.delete": "deleted a scenario", "line.record": "recorded a line", "line.unrecord": "removed a line's recording", "call.cancel": "cancelled a call", "call.note": "wrote a note on a call", "call.needs_person": "marked a call for staff", "call.taken": "took a call", "call.left": "left a call to others", "call.done": "ended the follow-up of a call", "call.corrected": "corrected a call", "call.reschedule": "rescheduled a call", "call.hangup": "ended a call", "call.listen": "listened in to a call",
		"person.erase": "erased a person's data", "suppression.put": "put a number on the suppression list", "suppression.delete": "removed a number from the suppression list", "organization.create": "added an organization",
		"phrases.put": "changed the restaurant phrases", "backup.make": "asked for a backup", "webhook.test": "tried the webhook", "call.create": "booked a call",
		"call.import":     "imported a campaign",
		"campaign.create": "made a campaign", "campaign.pause": "paused a campaign", "campaign.resume": "resumed a campaign",
		"campaign.cancel": "cancelled a campaign", "campaign.close": "closed a campaign whose time was over",
		"campaign.retry": "retried the unreached of a campaign", "live.start": "opened a microphone", "live.stop": "stopped a microphone",
		"live.delete": "deleted a live session", "user.sign_out": "signed out", "user.sessions_end": "ended sessions of their account",
		"phrases.reset": "went back to the built-in phrases",
		"model.request": "asked for a model", "model.install": "a model was installed", "model.fail": "a model was not installed", "model.cancel": "cancelled an installation",
		"model.forget": "closed an installation", "model.use": "changed the recognition model", "model.remove": "removed a model",
	}
}

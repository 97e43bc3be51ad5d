package locale

import "strings"

// AlertText is the text of an alert: title, fault, remedy, and link.
type AlertText struct{ Title, What, Do, Href string }

// DescribeAlert returns an alert's text by its kind; subject and facts fill its placeholders. An unknown kind, of a
// newer version, shows its name.
func DescribeAlert(l Language, kind, subject string, facts map[string]string) AlertText {
	text, known := alertTexts(l)[kind]
	if !known {
		return AlertText{Title: kind, What: kind, Href: "/console/alerts"}
	}
	pairs, stored := []any{"subject", subject}, facts["stored"] != ""
	for name, value := range facts {
		if kind == "trunk_down" && name == "fault" {
			value = strings.TrimSuffix(TrunkFault(l, value, stored), ".") // a full stop follows
		}
		pairs = append(pairs, name, value)
	}
	text.Title, text.What = FillSentence(text.Title, pairs...), FillSentence(text.What, pairs...)
	if cause := facts["cause"]; cause != "" { // of a trunk that answers, and refuses calls
		said := DescribeRefusal(l, cause, facts["answer"], stored)
		text.What, text.Do = said.What, said.Do
	}
	return text
}

// alertTexts returns the texts of all kinds.
func alertTexts(l Language) map[string]AlertText {
	return pickLanguage(l, map[string]AlertText{
		"calling_stopped": {
			"الاتصال متوقف", "أُوقف الاتصال: لا تبدأ أي مكالمة جديدة حتى تستأنف.",
			"استأنف الاتصال في صفحة قواعد الاتصال حين يزول السبب.", "/console/rules",
		},
		"failure_spike": {
			"مكالمات كثيرة تفشل", "فشلت {failed} من آخر المكالمات، وعددها {of}، وكانت النسبة من قبل {before}%.",
			"اقرأ سبب الفشل في المكالمات الأخيرة، وأوقف الحملات إن لزم.", "/console/calls?status=failed",
		},
		"destination_off": {
			"أُوقفت وجهة أحداث", "فشل كل إرسال إلى {host} خمسة أيام، فأُوقفت الوجهة ولا تُرسل إليها أحداث.",
			"أصلح المستقبِل ثم شغّل الوجهة في صفحة وجهات الأحداث.", "/console/destinations",
		},
		"trunk_down": {
			"خط SIP \u200f{subject} لا يقبل مكالمات", "لا يقبل خط SIP \u200f{subject} مكالمات: {fault}. المكالمات تنتظر.",
			"نفّذ munadi doctor على الخادم، واسأل شركة الاتصالات.", "/console/system",
		},
		"no_audio": {
			"مكالمات خط SIP \u200f{subject} بلا صوت",
			"لم يصل صوت في {calls} من آخر {of} من المكالمات التي رُدّ عليها عبر خط SIP \u200f{subject}، فأُنهيت وفشلت.",
			"تأكد أن جدار الحماية والموجّه يمرران منافذ UDP في sip-media-ports إلى الخادم، ومن sip-public-ip، ثم اسأل شركة الاتصالات.",
			"/console/calls?status=failed",
		},
		"disk_full": {
			"القرص يكاد يمتلئ", "بقي {free} من {size}. حين يمتلئ لا يُحفظ شيء جديد وتتوقف المكالمات.",
			"احذف ما لا يلزم، أو قصّر مدة حفظ التسجيلات، أو وسّع القرص.", "/console/system",
		},
		"backup_failed": {
			"لا نسخة احتياطية حديثة", "آخر نسخة: {last}. {fault}", "أصلح السبب ثم اصنع نسخة من صفحة النظام.", "/console/system",
		},
		"database_away": {
			"قاعدة البيانات لا تجيب", "لم تجب قاعدة البيانات المشتركة. المكالمات الجارية تكتمل، ولا يُقبل شيء جديد.",
			"افحص خادم PostgreSQL والشبكة إليه.", "/console/system",
		},
		"bucket_away": {
			"مخزن التسجيلات لا يجيب", "تنتظر التسجيلات على قرص الخادم حتى يعود المخزن: {fault}",
			"افحص المخزن ومفاتيحه والشبكة إليه: munadi doctor يفحصه.", "/console/system",
		},
		"overload": {
			"حمل الخادم زائد", "يتأخر إرسال الصوت، فخُفّض عدد الخطوط إلى {lines} حتى ينتظم.",
			"خفّف الحمل عن الخادم، أو اجعل عدد الخطوط أقل.", "/console/system",
		},
		"late_replies": {
			"تتأخر الردود في المكالمات", "من آخر {replies} رد ينتظر واحد من كل عشرين أكثر من {wait} ثانية.",
			"خفّف الحمل عن الخادم، أو اجعل عدد الخطوط أقل، أو استعمل نموذجًا أسرع. صفحة التقارير تعرض الانتظار.", "/console/reports",
		},
	}, map[string]AlertText{
		"calling_stopped": {
			"Calling is stopped", "The kill switch is on: no new call is dialled until you resume.",
			"Resume calling on the page Dialling rules once the reason is gone.", "/console/rules",
		},
		"failure_spike": {
			"Many calls fail", "{failed} of the last {of} attempts failed; before, it was {before} %.",
			"Read why the latest calls failed, and pause campaigns if need be.", "/console/calls?status=failed",
		},
		"destination_off": {
			"A destination of events was switched off",
			"Every attempt to send events to {host} failed for five days, so the destination was switched off and gets none.",
			"Mend the receiver, then turn the destination on, on the page Event destinations.", "/console/destinations",
		},
		"trunk_down": {
			"The SIP trunk {subject} takes no calls", "The SIP trunk {subject} takes no calls: {fault}. Calls wait.",
			"Run munadi doctor on the appliance, and ask the carrier.", "/console/system",
		},
		"no_audio": {
			"Calls over the SIP trunk {subject} have no audio",
			"{calls} of the last {of} answered calls over the SIP trunk {subject} got no audio, so they were ended as failed.",
			"Check that firewall and router forward UDP sip-media-ports to the appliance, and sip-public-ip; then ask the carrier.",
			"/console/calls?status=failed",
		},
		"disk_full": {
			"The disk is nearly full", "{free} of {size} are free. Once it is full nothing new is stored and calls stop.",
			"Remove what is not needed, keep recordings for a shorter time, or enlarge the disk.", "/console/system",
		},
		"backup_failed": {
			"There is no recent backup", "The last one: {last}. {fault}",
			"Remove the cause, then make one on the page System.", "/console/system",
		},
		"database_away": {
			"The database does not answer",
			"The shared database did not answer. Running calls go on, and nothing new is accepted.",
			"Check the PostgreSQL server and the network to it.", "/console/system",
		},
		"bucket_away": {
			"The bucket of recordings cannot be used", "Recordings wait on the appliance's disk until it is back: {fault}",
			"Check the bucket, its keys and the network to it: munadi doctor tries it.", "/console/system",
		},
		"overload": {
			"The appliance is overloaded", "Audio is sent late, so the number of lines was lowered to {lines} until it is on time.",
			"Take load off the appliance, or set fewer lines.", "/console/system",
		},
		"late_replies": {
			"Replies in calls come late", "Of the last {replies} replies one in twenty is waited for longer than {wait} seconds.",
			"Take load off the appliance, set fewer lines, or use a faster model. The reports show the waits.", "/console/reports",
		},
	})
}

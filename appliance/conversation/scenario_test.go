package conversation_test

import (
	"testing"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/conversation"
)

// TestBuiltInScenarios makes each kind of conversation and compares its whole result.
func TestBuiltInScenarios(t *testing.T) {
	t.Parallel()
	appointment := map[string]any{"date": "2026-11-26", "time": "17:30", "patient_file": "A-12"}
	hello := calleeReaction{after: 400 * time.Millisecond, say: "ألو السلام عليكم"}
	for name, c := range map[string]struct {
		scenario  string
		variables map[string]any
		callee    scriptedCallee
	}{
		"confirmed":    {"appointment_confirmation", appointment, scriptedCallee{start: hello, script: scriptedAnswers("نعم أؤكد الموعد")}},
		"bare":         {"appointment_confirmation", nil, scriptedCallee{start: hello, script: scriptedAnswers("موافق")}},
		"rescheduled":  {"appointment_confirmation", appointment, scriptedCallee{start: hello, script: scriptedAnswers("لا أستطيع الحضور", "موافق", "يوم الخميس", "الساعة الخامسة مساء")}},
		"change":       {"appointment_confirmation", nil, scriptedCallee{start: hello, script: scriptedAnswers("أريد تغيير الموعد", "غدا", "الساعة السادسة والنصف", "نعم")}},
		"at_once":      {"appointment_confirmation", nil, scriptedCallee{start: hello, script: scriptedAnswers("أريد تغيير الموعد", "يوم الأحد الساعة العاشرة صباحا")}},
		"cancelled":    {"appointment_confirmation", nil, scriptedCallee{start: hello, script: scriptedAnswers("لا أستطيع الحضور", "لا شكرا", "أنا مسافر")}},
		"cancel":       {"appointment_confirmation", nil, scriptedCallee{start: hello, script: scriptedAnswers("أريد إلغاء الموعد", "لا شكرا")}},
		"silent":       {"appointment_confirmation", nil, scriptedCallee{}},
		"unclear":      {"appointment_confirmation", nil, scriptedCallee{start: hello, script: scriptedAnswers("الجو جميل", "بالتأكيد الجو", "ماذا", "نعم")}},
		"order":        {"restaurant_order", map[string]any{"total": 57.0}, scriptedCallee{start: hello, script: scriptedAnswers("بيتزا واحدة كبيرة", "عصير برتقال", "توصيل", "شارع الملك فهد عمارة عشرين", "محمد", "نقدا", "موافق")}},
		"order_pickup": {"restaurant_order", nil, scriptedCallee{start: hello, script: scriptedAnswers("شاورما", "ثلاثة", "وسط", "لا شكرا", "استلام", "سارة", "بالبطاقة", "نعم")}},
		"order_off":    {"restaurant_order", nil, scriptedCallee{start: hello, script: scriptedAnswers("اثنان برجر", "كبير", "ماء", "استلام", "محمد", "نقدا", "لا شكرا")}},
		"order_keys": {"restaurant_order", nil, scriptedCallee{start: hello, script: func(asked int, q carrier.Speech) calleeReaction {
			keys := map[string]string{"quantity": "12#", "size": "3", "delivery": "2", "payment": "1", "confirmed": "1"}
			if k := keys[q.Expects.Slot]; k != "" {
				return calleeReaction{after: time.Second, keys: k}
			}
			return scriptedAnswers("كبسة", "", "", "قهوة عربية", "", "أم محمد")(asked, q)
		}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := holdTalk(t, &c.callee, conversation.ConversationInput{Scenario: builtIn(t, c.scenario), Variables: c.variables})
			compareGolden(t, name, formatOutcome(o))
		})
	}
}

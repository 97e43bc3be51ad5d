package conversation_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"

	"munadi/appliance/conversation/tool"
)

// TestHostileToolValues: values of wrong types stay unknown, texts lose what is no text, and the call goes on; the report
// says what happened.
func TestHostileToolValues(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer, said, report, codes string
	}{
		"wrong types": {
			`{"days":"3","ready":"yes","missing":{"a":1}}`, "لا نجد طلبكم", `{"days":null,"missing":null,"ready":null}`,
			"fetch_value fetch_value fetch_value",
		},
		"a huge number": {`{"days":1e400}`, "لا نجد طلبكم", `"days":null`, "fetch_value"},
		"control and direction marks": {
			`{"missing":"a\u0000\u202e b\r\n\u001b[31mc\u2066","days":3}`, "بعد ثلاثة أيام", `"missing":"a b [31mc"`, "",
		},
		"only marks":  {`{"missing":"\u202e\u0000","days":3}`, "بعد ثلاثة أيام", `"missing":null`, "fetch_value"},
		"a long text": {`{"missing":"` + strings.Repeat("كلمة ", 5000) + `","days":3}`, "بعد ثلاثة أيام", `"missing":null`, "fetch_value"},
		"deep nesting": {
			`{"days":3,"missing":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `}`, "بعد ثلاثة أيام", `"missing":null`, "fetch_value",
		},
		"a template":        {`{"missing":"{{order}} {{days}}","days":3}`, "بعد ثلاثة أيام", `"missing":"{{order}} {{days}}"`, ""},
		"nothing":           {`{}`, "لا نجد طلبكم", `"days":null`, "fetch_value"},
		"nothing of a slot": {`{"error":"no such order"}`, "لا نجد طلبكم", `"days":null`, "fetch_value"},
		"names twice":       {`{"days":3,"days":"soon","Days":9}`, "لا نجد طلبكم", `"days":null`, "fetch_value"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				o, said := lookUp(t, toolFunc(func(context.Context, tool.Request) (string, error) { return c.answer, nil }))
				if !strings.Contains(said, c.said) || !strings.Contains(string(o.Report), c.report) || outcomeCodes(o) != c.codes {
					t.Errorf("said %s\nreport %s\n%s", said, o.Report, formatOutcome(o))
				}
			})
		})
	}
}

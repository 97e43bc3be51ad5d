package api_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"munadi/store/scenario"
)

// TestCallsByName: calls booked alone and by a campaign are found by the person's name, until the person is erased.
func TestCallsByName(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	book := func(name string, n int) string {
		return fmt.Sprintf(`{"phone_number":"+96650000%04d","scenario_id":"reminder","variables":{"name":%q}}`, n, name)
	}
	b.askPath("POST", "/calls", book("نورة العتيبي", 1)).want(201)
	b.now = b.now.Add(time.Second)
	b.askPath("POST", "/calls", book("أحمد", 2)).want(201)
	rows := `{"phone_number":"+966500000003","variables":{"name":"نوره أحمد"}},{"phone_number":"+966500000004","variables":{"name":"Sara"}}`
	b.now = b.now.Add(time.Second)
	b.askPath("POST", "/campaigns", `{"name":"c","scenario_id":"reminder","calls":[`+rows+`]}`).want(201)
	b.askPath("POST", "/calls", book("نورة", 9), withKey(rival)).want(201)
	found := func(query string) string {
		t.Helper()
		var names []string
		got := b.askPath("GET", "/calls?"+query, "").want(200)
		for i := range got.at("data").([]any) {
			names = append(names, got.text("data", i, "variables", "name"))
		}
		if (got.at("meta", "warnings") == nil) == (strings.Contains(query, "name=") && !strings.HasSuffix(query, "name=")) {
			t.Errorf("before older calls are named %s answers with the warnings %v", query, got.at("meta", "warnings"))
		}
		return strings.Join(names, ", ")
	}
	for query, want := range map[string]string{
		"name=" + url.QueryEscape("نورة"): "نوره أحمد, نورة العتيبي", "name=" + url.QueryEscape("احمد نُور"): "نوره أحمد",
		"name=SAR": "Sara", "name=zzz": "", "name=": "Sara, نوره أحمد, أحمد, نورة العتيبي", "name=sara&phone_number=%2B966500000001": "",
		"sort=due_at&name=" + url.QueryEscape("نورة"): "نوره أحمد, نورة العتيبي", "limit=1&name=" + url.QueryEscape("أحمد"): "نوره أحمد",
		"status=failed&name=sara": "", "number_contains=0004&name=sara": "Sara",
	} {
		if got := found(query); got != want {
			t.Errorf("%s finds %s, want %s", query, got, want)
		}
	}
	for _, query := range []string{"name=-", "name=" + strings.Repeat("m", 101), "name=a&name=b"} {
		b.askPath("GET", "/calls?"+query, "").failure(422, "validation_error", "name")
	}
	mustSucceed(t, b.store.NameOlderCalls(t.Context(), []scenario.Scenario{builtIn()}, b.now))
	b.askPath("DELETE", "/people/+966500000003", "").want(200)
	got := b.askPath("GET", "/calls?name="+url.QueryEscape("نور"), "").want(200)
	if n := len(got.at("data").([]any)); n != 1 || got.at("meta", "warnings") != nil {
		t.Errorf("after an erasure: %s", got.Body)
	}
}

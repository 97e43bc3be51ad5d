package api_test

import (
	"encoding/json"
	"mime"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"
	"github.com/labstack/echo/v4"

	"munadi/appliance/api"
	"munadi/appliance/apimodel"
	"munadi/appliance/openapi"
	"munadi/store/alert"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/delivery"
	"munadi/store/scenario"
)

// document returns the published OpenAPI document.
var document = sync.OnceValues(func() (*openapi3.T, error) {
	document, err := openapi.DocumentJSON()
	if err != nil {
		return nil, err
	}
	return openapi3.NewLoader().LoadFromData(document)
})

func publishedDocument(t testing.TB) *openapi3.T {
	t.Helper()
	doc, err := document()
	mustSucceed(t, err)
	return doc
}

// pathOf returns a route in the document's notation.
func pathOf(route string) string {
	parts := strings.Split(route, "/")
	for i, part := range parts {
		if name, found := strings.CutPrefix(part, ":"); found {
			parts[i] = "{" + name + "}"
		}
	}
	return strings.Join(parts, "/")
}

// TestEveryRouteIsPublished checks that the API's routes are the document's operations below /api/v1.
func TestEveryRouteIsPublished(t *testing.T) {
	t.Parallel()
	e := echo.New()
	api.NewService(api.Dependencies{}).MountRoutes(e)
	var routes, heads, operations []string
	for _, r := range e.Routes() {
		switch r.Method {
		case echo.RouteNotFound:
		case http.MethodHead:
			heads = append(heads, "GET "+pathOf(r.Path))
		default:
			routes = append(routes, r.Method+" "+pathOf(r.Path))
		}
	}
	for path, item := range publishedDocument(t).Paths.Map() {
		if !strings.HasPrefix(path, api.Root+"/") {
			continue
		}
		for method, op := range item.Operations() {
			operations = append(operations, method+" "+path)
			checkResponses(t, method, path, op)
		}
	}
	slices.Sort(routes)
	slices.Sort(operations)
	if diff := cmp.Diff(operations, routes); diff != "" {
		t.Errorf("operations of appliance/openapi (-) and routes of this package (+) differ:\n%s", diff)
	}
	for _, route := range routes {
		if strings.HasPrefix(route, "GET ") != slices.Contains(heads, route) {
			t.Errorf("%s: HEAD is served where GET is not, or the other way round", route)
		}
	}
}

// checkResponses checks that an operation has the responses that are common to all operations of its kind.
func checkResponses(t *testing.T, method, path string, op *openapi3.Operation) {
	t.Helper()
	if op.OperationID == "" || op.Summary == "" || len(op.Tags) != 1 {
		t.Errorf("%s %s lacks its id, summary or tag", method, path)
	}
	var statuses []int
	if op.Security != nil && len(*op.Security) > 0 {
		statuses = append(statuses, 401, 403, 429)
	}
	if op.RequestBody != nil {
		statuses = append(statuses, 400, 413, 422, 503)
		for kind, content := range op.RequestBody.Value.Content {
			if content.Example == nil {
				t.Errorf("%s %s lacks an example of %s", method, path, kind)
			}
		}
	}
	if strings.Contains(path, "{") {
		statuses = append(statuses, 404)
	}
	for _, status := range statuses {
		if op.Responses.Status(status) == nil {
			t.Errorf("%s %s lacks %d", method, path, status)
		}
	}
}

// TestFieldsMatchTheSchema compares the fields of bodies with the schemas, in both directions.
func TestFieldsMatchTheSchema(t *testing.T) {
	t.Parallel()
	doc := publishedDocument(t)
	for name, shape := range map[string]any{
		"Call": apimodel.CallBody{}, "CallFailure": call.CallFailure{}, "Message": call.Message{}, "CallTrouble": call.CallError{},
		"EnhancedTranscript": apimodel.EnhancedTranscript{}, "WebhookState": apimodel.WebhookState{}, "WebhookTry": apimodel.WebhookTry{},
		"Organization": apimodel.OrganizationBody{}, "Suppression": apimodel.SuppressionBody{}, "Webhook": apimodel.WebhookSetting{},
		"Delivery": apimodel.DeliveryBody{}, "Notification": apimodel.NotificationBody{}, "CompletePayload": apimodel.CompletePayload{},
		"UnreachedPayload": apimodel.UnreachedPayload{}, "Hours": callingHours(), "HoursSlot": callrules.HourSlot{},
		"Scenario": apimodel.ScenarioBody{}, "NewScenario": apimodel.ScenarioBody{}, "ScenarioTest": scenario.ScenarioTest{}, "TestRun": scenario.TestRun{}, "Variable": scenario.ScenarioVariable{},
		"Step": scenario.FlowStep{}, "Line": scenario.SpokenLine{}, "AskSlot": scenario.AnswerSlot{}, "Case": scenario.BranchCase{},
		"LLM": scenario.ModelEndpoint{}, "SideQuestion": scenario.SideQuestion{}, "RetryPlan": call.RetryPlan{},
		"NewCall": api.BookingBody{}, "RetryRequest": api.RetryBody{}, "NewTime": api.RescheduleBody{},
		"DiallingRules": api.OrganizationBody{}, "NewSuppression": api.SuppressionBody{}, "WebhookRequest": api.WebhookBody{},
		"NewDestination": api.DestinationBody{}, "DestinationChange": api.DestinationBody{},
		"EventDelivery": apimodel.EventDeliveryBody{}, "Event": apimodel.EventBody{},
	} {
		var want []string
		for property := range doc.Components.Schemas[name].Value.Properties {
			want = append(want, property)
		}
		got := jsonNames(reflect.TypeOf(shape))
		if days, ok := shape.(map[string]bool); ok {
			got = nil
			for day := range days {
				got = append(got, day)
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if got = slices.Compact(got); !slices.Equal(got, want) {
			t.Errorf("%s has\n%v, published are\n%v", name, got, want)
		}
	}
}

func callingHours() map[string]bool {
	all := map[string]bool{}
	for _, day := range callrules.AllWeekdays() {
		all[string(day)] = true
	}
	return all
}

// jsonNames returns the JSON names of a struct's fields, including embedded ones.
func jsonNames(t reflect.Type) []string {
	var all []string
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			all = append(all, jsonNames(f.Type)...)
		case name != "" && name != "-":
			all = append(all, name)
		}
	}
	return all
}

// TestEnumsMatchTheSchema compares the document's enumerations with the code's.
func TestEnumsMatchTheSchema(t *testing.T) {
	t.Parallel()
	doc := publishedDocument(t)
	for path, want := range map[[2]string][]string{
		{"Call", "status"}:        wordsOf(call.AllStatuses()),
		{"CallFailure", "reason"}: wordsOf(call.AllReasons()),
		{"Call", "booking_outcome"}: wordsOf([]call.BookingOutcome{
			call.Immediate, call.Booked, call.Moved, call.Rescheduled, call.RetryBooked,
		}),
		{"EventDelivery", "type"}: wordsOf(delivery.AllEventTypes()),
	} {
		var got []string
		for _, word := range doc.Components.Schemas[path[0]].Value.Properties[path[1]].Value.Enum {
			got = append(got, word.(string))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%v: %v, not %v", path, got, want)
		}
	}
}

// TestEmptyFiltersAreDocumented checks that the enumerations of query parameters have the empty value, which is taken as
// none, as forms send it.
func TestEmptyFiltersAreDocumented(t *testing.T) {
	t.Parallel()
	seen := 0
	for path, item := range publishedDocument(t).Paths.Map() {
		if item.Get == nil || !strings.HasPrefix(path, "/api/v1/") {
			continue
		}
		for _, p := range item.Get.Parameters {
			words := p.Value.Schema.Value.Enum
			if p.Value.In != "query" || len(words) == 0 {
				continue
			}
			if seen++; !slices.Contains(words, any("")) {
				t.Errorf("%s: %s has no empty value in %v", path, p.Value.Name, words)
			}
		}
	}
	if seen < 10 {
		t.Errorf("%d enumerations were seen", seen)
	}
}

func wordsOf[T ~string](all []T) []string {
	list := make([]string, len(all))
	for i, word := range all {
		list[i] = string(word)
	}
	return list
}

// TestNotificationsMatchTheSchema compares webhook bodies with the document.
func TestNotificationsMatchTheSchema(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	sample := apimodel.SampleCall("acme", call.NewID(), began)
	busy := sample
	busy.Status, busy.Failure, busy.StartedAt = call.UserRejected, &call.CallFailure{Reason: call.Busy}, nil
	for _, c := range []call.Call{sample, busy} {
		told, err := apimodel.BodyOf(c, b.links)
		mustSucceed(t, err)
		visitRoutes(t, "Notification", told)
	}
	over := began.Add(time.Hour)
	raised := alert.Alert{ID: "alert_x", Kind: alert.TrunkDown, Subject: "main", Installation: true, RaisedAt: began, ClearedAt: &over}
	for _, a := range []alert.Alert{raised, {ID: "alert_y", Kind: alert.CallingStopped, RaisedAt: began}} {
		for _, cleared := range []bool{false, a.ClearedAt != nil} {
			told, err := apimodel.AlertBodyOf(a, cleared)
			mustSucceed(t, err)
			visitRoutes(t, "AlertNotification", told)
		}
	}
}

func visitRoutes(t testing.TB, schema string, data []byte) {
	t.Helper()
	var v any
	mustSucceed(t, json.Unmarshal(data, &v))
	err := publishedDocument(t).Components.Schemas[schema].Value.VisitJSON(v, openapi3.EnableJSONSchema2020())
	if err != nil {
		t.Errorf("%s: %v\n%s", schema, err, data)
	}
}

// asPublished validates a response against the document: status, headers and body.
func asPublished(t testing.TB, r *http.Request, w *httptest.ResponseRecorder) {
	t.Helper()
	item, op := operationOf(t, r)
	if item == "" || r.Method == http.MethodHead || op == nil {
		return
	}
	answer := op.Responses.Status(w.Code)
	if answer == nil {
		if w.Code != http.StatusInternalServerError {
			t.Errorf("%s %s: %d is not published", r.Method, item, w.Code)
		}
		return
	}
	for name, h := range answer.Value.Headers {
		if h.Value.Required && w.Header().Get(name) == "" {
			t.Errorf("%s %s: %d lacks the header %s", r.Method, item, w.Code, name)
		}
	}
	if len(answer.Value.Content) == 0 {
		if w.Body.Len() > 0 {
			t.Errorf("%s %s: %d has a body: %s", r.Method, item, w.Code, w.Body)
		}
		return
	}
	kind, _, err := mime.ParseMediaType(w.Header().Get("Content-Type"))
	mustSucceed(t, err)
	content := answer.Value.Content[kind]
	if content == nil {
		t.Errorf("%s %s: %d with %s is not published", r.Method, item, w.Code, kind)
		return
	}
	if kind != "application/json" {
		return
	}
	var v any
	mustSucceed(t, json.Unmarshal(w.Body.Bytes(), &v))
	if err := content.Schema.Value.VisitJSON(v, openapi3.EnableJSONSchema2020()); err != nil {
		t.Errorf("%s %s: %d: %v\n%s", r.Method, item, w.Code, err, w.Body)
	}
}

// operationOf returns the document's operation of a request; nil for an unknown path.
func operationOf(t testing.TB, r *http.Request) (string, *openapi3.Operation) {
	t.Helper()
	parts := strings.Split(r.URL.Path, "/")
	best, fixed := "", -1
	for path := range publishedDocument(t).Paths.Map() {
		pattern := strings.Split(path, "/")
		if len(pattern) != len(parts) {
			continue
		}
		same, match := 0, true
		for i := range parts {
			switch {
			case pattern[i] == parts[i]:
				same++
			case !strings.HasPrefix(pattern[i], "{") || parts[i] == "":
				match = false
			}
		}
		if match && same > fixed {
			best, fixed = path, same
		}
	}
	if best == "" {
		return "", nil
	}
	return best, publishedDocument(t).Paths.Value(best).GetOperation(r.Method)
}

// TestNullCountsAsMissing checks that optional fields may be null, as clients send missing values.
func TestNullCountsAsMissing(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	nulled := func(schema, given string) string {
		body := map[string]any{}
		mustSucceed(t, json.Unmarshal([]byte(given), &body))
		for name := range publishedDocument(t).Components.Schemas[schema].Value.Properties {
			if _, said := body[name]; !said {
				body[name] = nil
			}
		}
		out, err := json.Marshal(body)
		mustSucceed(t, err)
		return string(out)
	}
	b.askPath("POST", "/calls", nulled("NewCall", minimal)).want(201)
	scenario := `{"name":"x","language":"ar","steps":[` + nulled("Step", `{"id":"bye","type":"end"}`) + `]}`
	id := b.askPath("POST", "/scenarios", nulled("NewScenario", scenario)).want(201).text("data", "id")
	b.askPath("PUT", "/scenarios/"+id, nulled("NewScenario", scenario)).want(200)
	b.askPath("POST", "/suppressions", nulled("NewSuppression", `{"phone_number":"+966512345678"}`)).want(201)
	b.askPath("PATCH", "/organization", nulled("DiallingRules", `{}`)).want(200)
	b.askPath("PUT", "/webhook", nulled("WebhookRequest", `{"url":"http://127.0.0.1:9/"}`)).want(200)
	to := `{"url":"http://127.0.0.1:9/","events":["call.booked"]}`
	id = b.askPath("POST", "/destinations", nulled("NewDestination", to)).want(201).text("data", "id")
	b.askPath("PATCH", "/destinations/"+id, nulled("DestinationChange", `{}`)).want(200)
}

// TestNullIsRefused checks that null is refused where the schema does not allow it: it says nothing, and must not count
// as a default.
func TestNullIsRefused(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	ended := b.addFinishedCall().ID
	for _, c := range []struct{ method, path, schema, body string }{
		{"POST", "/calls", "NewCall", minimal},
		{"POST", "/calls/" + ended + "/needs_person", "FollowUp", `{"action":"mark"}`},
		{"POST", "/calls/" + ended + "/notes", "NewNote", `{"text":"x"}`},
		{"POST", "/scenarios", "NewScenario", `{"name":"x","language":"ar","steps":[{"id":"bye","type":"end"}]}`},
		{"POST", "/suppressions", "NewSuppression", `{"phone_number":"+966512345678"}`},
		{"PATCH", "/organization", "DiallingRules", `{}`},
		{"PUT", "/webhook", "WebhookRequest", `{"url":"http://127.0.0.1:9/"}`},
		{"POST", "/destinations", "NewDestination", `{"url":"http://127.0.0.1:9/","events":["call.booked"]}`},
		{"POST", "/campaigns", "NewCampaign", `{"name":"x","scenario_id":"reminder","calls":[{"phone_number":"+966500000001"}]}`},
	} {
		for name, property := range publishedDocument(t).Components.Schemas[c.schema].Value.Properties {
			if property.Value.VisitJSON(nil, openapi3.EnableJSONSchema2020()) == nil {
				continue
			}
			body := map[string]any{}
			mustSucceed(t, json.Unmarshal([]byte(c.body), &body))
			body[name] = nil
			text, err := json.Marshal(body)
			mustSucceed(t, err)
			if got := b.askPath(c.method, c.path, string(text)); got.Code != 422 {
				t.Errorf("%s %s with %s: null: %d %s", c.method, c.path, name, got.Code, got.Body)
			}
		}
	}
}

// TestSchemaAndCodeAgree checks that what the schema refuses the code refuses, and the other way round, for requests
// that one of them could take for valid.
func TestSchemaAndCodeAgree(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	ended := "/calls/" + b.addFinishedCall().ID
	step := func(fields string) string { return `{"name":"x","steps":[{"id":"q",` + fields + `}]}` }
	hours := func(slots string) string {
		return `{"calling_hours":{"sunday":[{"from":"09:00","to":"10:00"}],"saturday":` + slots + `}}`
	}
	saved := func(test string) string {
		return `{"name":"x","status":"draft","steps":[{"id":"q","type":"end"}],"tests":[` + test + `]}`
	}
	for _, c := range []struct {
		method, path, schema, body string
		valid                      bool
	}{
		{"PATCH", "/organization", "DiallingRules", hours(`null`), false},
		{"PATCH", "/organization", "DiallingRules", hours(`[]`), true},
		{"PATCH", "/organization", "DiallingRules", hours(`[{"from":"00:00","to":"00:00"}]`), false},
		{"PATCH", "/organization", "DiallingRules", hours(`[{"from":"24:00","to":"24:00"}]`), false},
		{"PATCH", "/organization", "DiallingRules", hours(`[{"from":"23:59","to":"24:00"}]`), true},
		{"PUT", "/webhook", "WebhookRequest", `{"enabled":true,"url":null}`, false},
		{"PUT", "/webhook", "WebhookRequest", `{"enabled":true}`, false},
		{"PUT", "/webhook", "WebhookRequest", `{"enabled":false}`, true},
		{"PUT", "/webhook", "WebhookRequest", `{}`, true},
		{"POST", "/destinations", "NewDestination", `{"url":"http://127.0.0.1:9/","events":["job.finished"]}`, true},
		{"POST", "/destinations", "NewDestination", `{"url":"http://127.0.0.1:9/","events":[]}`, false},
		{"POST", "/destinations", "NewDestination", `{"url":"http://127.0.0.1:9/","events":["call.ended"]}`, false},
		{"POST", "/destinations", "NewDestination", `{"url":"","events":["job.finished"]}`, false},
		{"POST", "/destinations", "NewDestination", `{"events":["job.finished"]}`, false},
		{"POST", ended + "/notes", "NewNote", `{"text":" "}`, false},
		{"POST", ended + "/corrections", "NewCorrections", `{}`, false},
		{"POST", ended + "/corrections", "NewCorrections", `{"answers":{},"messages":[]}`, false},
		{"POST", ended + "/needs_person", "FollowUp", `{"action":null}`, false},
		{"POST", ended + "/needs_person", "FollowUp", `{}`, true},
		{"POST", "/scenarios", "NewScenario", step(`"type":"say","say":"مرحبا"`), true},
		{"POST", "/scenarios", "NewScenario", step(`"type":"say","say":""`), false},
		{"POST", "/scenarios", "NewScenario", step(`"type":"say","say":[{"text":" "}]`), false},
		{"POST", "/scenarios", "NewScenario", step(`"type":"say"`), false},
		{"POST", "/scenarios", "NewScenario", step(`"type":"say","say":[]`), false},
		{"POST", "/scenarios", "NewScenario", step(`"type":"ask","say":"كم"`), false},
		{"POST", "/scenarios", "NewScenario", step(`"type":"ask","say":"كم","slot":null`), false},
		{"POST", "/scenarios", "NewScenario", step(`"type":"ask","say":"كم","max_reasks":2.0,"slot":{"name":"n","type":"number"}`), true},
		{"POST", "/scenarios", "NewScenario", step(`"type":"branch","cases":[]`), false},
		{"POST", "/scenarios", "NewScenario", step(`"type":"llm","prompt":" "`), false},
		{"POST", "/scenarios", "NewScenario", step(`"type":"end"`), true},
		{"POST", "/scenarios", "NewScenario", `{"name":" ","steps":[{"id":"q","type":"end"}]}`, false},
		{"POST", "/scenarios", "NewScenario", `{"name":"x","voicemail":"","steps":[{"id":"q","type":"end"}]}`, false},
		{"POST", "/scenarios", "NewScenario", `{"name":"x","status":"drafted","steps":[{"id":"q","type":"end"}]}`, false},
		{"POST", "/scenarios", "NewScenario", saved(`{"name":"x"}`), true},
		{"POST", "/scenarios", "NewScenario", saved(`{"name":" "}`), false},
		{"POST", "/scenarios", "NewScenario", saved(`{"says":[]}`), false},
		{"POST", "/scenarios", "NewScenario", saved(`{"name":"x","color":1}`), false},
		{"POST", "/scenarios", "NewScenario", saved(`{"name":"x","says":[" "]}`), false},
		{"POST", "/scenarios", "NewScenario", saved(`{"name":"x","says":"نعم"}`), false},
		{"POST", "/scenarios", "NewScenario", saved(`{"name":"x","expect":{"steps":[""]}}`), false},
		{"POST", "/scenarios", "NewScenario", saved(`{"name":"x","expect":{"report":[]}}`), false},
		{"POST", "/scenarios", "NewScenario", saved(`{"name":"x","expect":{"slots":{}}}`), false},
		{"POST", "/scenarios", "NewScenario", saved(`{"name":"x","at":null,"says":null,"expect":{"report":{"n":null}}}`), true},
		{"POST", "/scenarios", "NewScenario", `{"name":"x","opt_out_phrases":[""],"steps":[{"id":"q","type":"end"}]}`, false},
	} {
		var body any
		mustSucceed(t, json.Unmarshal([]byte(c.body), &body))
		schema := publishedDocument(t).Components.Schemas[c.schema].Value
		if err := schema.VisitJSON(body, openapi3.EnableJSONSchema2020()); (err == nil) != c.valid {
			t.Errorf("%s %s: by the schema %v", c.schema, c.body, err)
		}
		if got := b.askPath(c.method, c.path, c.body); (got.Code < 300) != c.valid || !c.valid && got.Code != 422 {
			t.Errorf("%s %s %s: %d %s", c.method, c.path, c.body, got.Code, got.Body)
		}
	}
}

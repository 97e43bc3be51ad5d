package console_test

import (
	"context"
	"html"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"munadi/appliance/contactfile"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/campaign"
)

// anyUUID is the idempotency key of the forms.
const anyUUID = "00000000-0000-4000-8000-00000000000a"

// routePromise describes a route: who may use it, a valid request, and its effect.
type routePromise struct {
	least account.UserRole // least role; governor for users who govern the appliance
	form  url.Values       // of a valid POST
	query string           // of a valid GET
	// silent is the reason why a POST writes no audit entry; empty: it writes one.
	silent string
	status int  // of a valid request; 0: 200 for a GET, 303 for a POST
	flows  bool // the response is a stream
	shared bool // what the path names is everybody's
}

func newForm(pairs ...string) url.Values {
	values := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		values.Add(pairs[i], pairs[i+1])
	}
	return values
}

// signedInRoutes are the routes that require a session, as "METHOD /path" below /console. The names in paths (:id)
// stand for the fixture's records, see fillPattern.
func signedInRoutes() map[string]routePromise {
	all := map[string]routePromise{}
	maps.Copy(all, accountRoutes())
	maps.Copy(all, callRoutes())
	maps.Copy(all, flowRoutes())
	maps.Copy(all, campaignRoutes())
	maps.Copy(all, modelRoutes())
	return all
}

func accountRoutes() map[string]routePromise {
	return map[string]routePromise{
		"GET ":        {least: account.Viewer},
		"GET /":       {least: account.Viewer},
		"GET /system": {least: account.Viewer},

		"POST /system/backup": {least: governor},

		"GET /alerts":                     {least: account.Viewer},
		"GET /alerts/banner":              {least: account.Viewer},
		"GET /alerts/events":              {least: account.Viewer, flows: true},
		"POST /alerts/:alert/acknowledge": {least: account.Operator},
		"POST /alerts/recipients":         {least: account.Owner, form: newForm("recipients", "duty@example.com")},
		"POST /alerts/mail-test":          {least: account.Owner},
		"GET /alerts/mail-server":         {least: governor},
		"POST /alerts/mail-server":        {least: governor, form: newForm("host", "mail.example.com", "security", "starttls", "from", "munadi@example.com")},
		"POST /alerts/mail-server/test":   {least: governor, form: newForm("to", "duty@example.com"), status: http.StatusOK},

		"GET /trunks":                {least: governor},
		"POST /trunks":               {least: governor, form: newForm("name", "second", "trunk", "sip:192.0.2.2")},
		"GET /trunks/:trunk":         {least: governor},
		"POST /trunks/:trunk":        {least: governor, form: newForm("trunk", "sip:192.0.2.3", "lines", "7")},
		"GET /trunks/:trunk/delete":  {least: governor},
		"POST /trunks/:trunk/delete": {least: governor},
		"POST /trunks/:trunk/test":   {least: governor, form: newForm("phone_number", "+966512345699", "scenario_id", "restaurant_order")},

		"GET /help":                 {least: account.Viewer, query: "?q=webhook"},
		"GET /help/:language/:page": {least: account.Viewer, shared: true},

		"POST /sign-out":     {least: account.Viewer},
		"GET /welcome":       {least: account.Owner},
		"POST /welcome/call": {least: account.Operator},

		"GET /account":               {least: account.Viewer},
		"POST /account/password":     {least: account.Viewer, form: newForm("current", goodPassword, "new", "a much better one", "again", "a much better one")},
		"GET /account/second-factor": {least: account.Viewer},

		"POST /account/second-factor":          {least: account.Viewer, form: newForm("current", goodPassword, "offer", ":offer")},
		"POST /account/second-factor/recovery": {least: account.Viewer, form: newForm("current", goodPassword, "offer", ":code")},
		"POST /account/second-factor/remove":   {least: account.Viewer, form: newForm("current", goodPassword, "offer", ":code")},

		"GET /account/sessions.csv":  {least: account.Viewer},
		"POST /account/sessions/end": {least: account.Viewer, silent: "it leads to where the user authenticates again"},

		"GET /account/confirm":         {least: account.Viewer},
		"POST /account/confirm":        {least: account.Viewer, form: newForm("current", "wrong"), silent: "the password is wrong", status: http.StatusUnprocessableEntity},
		"GET /account/confirm/company": {least: account.Viewer, status: http.StatusNotFound},

		"POST /account/confirm/passkey":         {least: account.Viewer, silent: "passkeys have no address here", status: http.StatusUnprocessableEntity},
		"POST /account/confirm/passkey/options": {least: account.Viewer, silent: "passkeys have no address here", status: http.StatusUnprocessableEntity},
		"GET /account/passkeys":                 {least: account.Viewer},
		"POST /account/passkeys":                {least: account.Viewer, silent: "it leads to where the user authenticates again"},
		"POST /account/passkeys/options":        {least: account.Viewer, silent: "it leads to where the user authenticates again"},
		"POST /account/passkeys/rename":         {least: account.Viewer, silent: "it leads to where the user authenticates again"},
		"GET /account/passkeys/remove":          {least: account.Viewer, status: http.StatusSeeOther},
		"POST /account/passkeys/remove":         {least: account.Viewer, silent: "it leads to where the user authenticates again"},
		"POST /account/passkeys/recovery":       {least: account.Viewer, silent: "it leads to where the user authenticates again"},

		"GET /users":                  {least: account.Owner},
		"GET /users.csv":              {least: account.Owner},
		"POST /users":                 {least: account.Owner, form: newForm("name", "new", "role", "viewer")},
		"POST /users/:user/role":      {least: account.Owner, form: newForm("role", "operator")},
		"POST /users/:user/state":     {least: account.Owner, form: newForm("state", "disabled")},
		"POST /users/:user/extension": {least: account.Owner, form: newForm("extension", "sip:204@pbx")},
		"POST /account/extension":     {least: account.Operator, form: newForm("extension", "sip:204@pbx")},
		"POST /calls/:id/call_back":   {least: account.Operator, silent: "the visitor has no extension", form: newForm("back", "/console/queue")},
		"GET /users/:user/password":   {least: account.Owner},
		"POST /users/:user/password":  {least: account.Owner},
		"POST /users/second-factor":   {least: account.Owner, form: newForm("needed", "")},
		"GET /users/:user/delete":     {least: account.Owner},
		"POST /users/:user/delete":    {least: account.Owner},

		"GET /users/:user/second-factor":  {least: account.Owner},
		"POST /users/:user/second-factor": {least: account.Owner},

		"GET /organizations":                     {least: governor},
		"GET /organizations.csv":                 {least: governor},
		"POST /organizations":                    {least: governor, form: newForm("id", "third", "name", "Third")},
		"POST /organizations/:organization/look": {least: governor, silent: "changes a cookie"},

		"GET /keys":              {least: account.Owner},
		"GET /keys.csv":          {least: account.Owner},
		"POST /keys":             {least: account.Owner, form: newForm("name", "new", "scopes", "stt")},
		"GET /keys/:key/revoke":  {least: account.Owner},
		"POST /keys/:key/revoke": {least: account.Owner},

		"GET /inbound":                {least: account.Owner},
		"GET /inbound.csv":            {least: account.Owner},
		"POST /inbound":               {least: account.Owner, form: newForm("callback_days", "3", "closed", "نحن مغلقون")},
		"POST /inbound/routes":        {least: account.Owner, form: newForm("number", "+97144*", "scenario_id", "restaurant_order", "lines", "2")},
		"GET /inbound/routes/remove":  {least: account.Owner, query: "?number=%2B96611*"},
		"POST /inbound/routes/remove": {least: account.Owner},
		"GET /inbound/refused":        {least: governor},
		"POST /inbound/simulate":      {least: account.Owner, form: newForm("from", "", "to", "+966112345678"), silent: "changes no setting"},

		"GET /audit":       {least: account.Owner},
		"GET /audit.jsonl": {least: account.Owner},
		"GET /audit.csv":   {least: account.Owner},

		"GET /replays":                 {least: account.Operator},
		"POST /replays":                {least: account.Operator, form: newForm("scenario_id", "mine", "version", "draft", "model", "", "from", "7")},
		"GET /replays/:replay":         {least: account.Operator},
		"GET /replays/:replay/events":  {least: account.Operator, flows: true},
		"POST /replays/:replay/pause":  {least: account.Operator},
		"POST /replays/:replay/resume": {least: account.Operator, silent: "it runs already"},
		"GET /replays/:replay/delete":  {least: account.Operator},
		"POST /replays/:replay/delete": {least: account.Operator},

		"GET /destinations":                      {least: account.Owner},
		"POST /destinations":                     {least: account.Owner, form: newForm("url", "http://shop.test/events", "events", "call.booked")},
		"GET /destinations/:destination":         {least: account.Owner},
		"POST /destinations/:destination":        {least: account.Owner, form: newForm("url", "http://shop.test/other", "events", "call.booked", "enabled", "1")},
		"POST /destinations/:destination/rotate": {least: account.Owner},
		"POST /destinations/:destination/replay": {least: account.Owner, form: newForm("from", "2026-01-01T00:00")},
		"GET /destinations/:destination/delete":  {least: account.Owner},
		"POST /destinations/:destination/delete": {least: account.Owner},

		"POST /destinations/:destination/deliveries/:event/redeliver": {least: account.Owner},

		"GET /webhook":                                 {least: account.Owner},
		"GET /webhook/deliveries.csv":                  {least: account.Owner},
		"POST /webhook":                                {least: account.Owner, form: newForm("url", "http://shop.test/other")},
		"POST /webhook/rotate":                         {least: account.Owner},
		"POST /webhook/test":                           {least: account.Owner},
		"GET /webhook/deliveries/:delivery":            {least: account.Owner},
		"POST /webhook/deliveries/:delivery/redeliver": {least: account.Owner},
	}
}

func callRoutes() map[string]routePromise {
	return map[string]routePromise{
		"GET /calls":                 {least: account.Viewer},
		"GET /calls.csv":             {least: account.Viewer},
		"GET /calls.xlsx":            {least: account.Viewer},
		"GET /calls/events":          {least: account.Viewer, flows: true},
		"GET /calls/:id":             {least: account.Viewer},
		"GET /calls/:id/gaps":        {least: account.Viewer},
		"GET /calls/:id/events":      {least: account.Viewer, flows: true},
		"GET /calls/:over/recording": {least: account.Viewer},
		"GET /calls/:over/evidence":  {least: account.Operator},

		"GET /calls/new":               {least: account.Operator},
		"POST /calls":                  {least: account.Operator, form: newForm("once", anyUUID, "phone_number", anyNumber, "scenario_id", "restaurant_order", "var.total", "75")},
		"GET /calls/cancel":            {least: account.Operator, query: "?id=:id"},
		"GET /palette":                 {least: account.Viewer, query: "?q=order"},
		"POST /calls/views":            {least: account.Viewer, form: newForm("name", "mine", "query", "status=failed")},
		"POST /calls/views/delete":     {least: account.Viewer},
		"GET /calls/bulk":              {least: account.Operator},
		"POST /calls/bulk":             {least: account.Operator, silent: "it can be undone first"},
		"GET /calls/bulk/:id":          {least: account.Operator, status: http.StatusNotFound},
		"POST /calls/bulk/:id/undo":    {least: account.Operator, status: http.StatusNotFound, silent: "there is none"},
		"POST /calls/cancel":           {least: account.Operator, form: newForm("id", ":id")},
		"GET /calls/:running/listen":   {least: account.Operator, flows: true},
		"GET /calls/:running/hangup":   {least: account.Operator},
		"POST /calls/:running/hangup":  {least: account.Operator},
		"POST /calls/:id/reschedule":   {least: account.Operator, form: newForm("at", "2026-11-22T10:00")},
		"GET /calls/wall":              {least: account.Viewer},
		"GET /queue":                   {least: account.Viewer},
		"GET /queue.csv":               {least: account.Viewer},
		"POST /calls/:over/test":       {least: account.Operator},
		"POST /calls/:over/note":       {least: account.Operator, form: newForm("text", "x")},
		"POST /calls/:over/need":       {least: account.Operator, form: newForm("action", "mark")},
		"POST /calls/:over/turn":       {least: account.Operator, form: newForm("index", "1", "content", "لا")},
		"POST /calls/:over/correct":    {least: account.Operator, silent: "no answer is another"},
		"GET /people/:number":          {least: account.Viewer},
		"POST /people/:number/export":  {least: account.Operator, status: http.StatusOK},
		"GET /calls/:over/erase":       {least: account.Operator},
		"POST /calls/:over/erase":      {least: account.Operator, form: newForm("current", goodPassword)},
		"GET /calls/:running/takeover": {least: account.Operator, status: http.StatusConflict},

		"GET /live":                          {least: account.Viewer},
		"GET /live.csv":                      {least: account.Viewer},
		"POST /live/start":                   {least: account.Operator, form: newForm("device", "Desk")},
		"POST /live/token":                   {least: account.Operator, status: http.StatusOK},
		"GET /live/:live":                    {least: account.Viewer},
		"GET /live/:live/events":             {least: account.Viewer, flows: true},
		"GET /live/:live/sound":              {least: account.Viewer, status: http.StatusNotFound},
		"GET /live/:live/transcript/:format": {least: account.Viewer},
		"POST /live/:onair/stop":             {least: account.Operator},
		"GET /live/:live/delete":             {least: account.Operator},
		"POST /live/:live/delete":            {least: account.Operator},
	}
}

// draftForm is the draft of a campaign with one person.
func draftForm() url.Values {
	packed, err := contactfile.PackTables(contactfile.ContactTable{
		Header: []string{"phone"}, Rows: [][]string{{"0512345610"}}, Numbers: []int{2},
	})
	if err != nil {
		panic(err)
	}
	return newForm("id", campaign.NewID(), "table", packed, "region", "SA", "scenario", "restaurant_order", "col.0", "phone_number",
		"name", "Visits", "confirm.missing_value.total", "yes", "sure", "restaurant_order")
}

func campaignRoutes() map[string]routePromise {
	return map[string]routePromise{
		"GET /campaigns":                        {least: account.Viewer},
		"GET /campaigns.csv":                    {least: account.Viewer},
		"GET /campaigns.xlsx":                   {least: account.Viewer},
		"GET /campaigns/:campaign":              {least: account.Viewer},
		"GET /campaigns/:campaign/people":       {least: account.Viewer},
		"GET /campaigns/:campaign/results.csv":  {least: account.Viewer},
		"GET /campaigns/:campaign/results.xlsx": {least: account.Viewer},
		"GET /campaigns/new":                    {least: account.Operator},
		"GET /campaigns/hear":                   {least: account.Operator, status: http.StatusNotFound},
		"GET /campaigns/template.csv":           {least: account.Operator},
		"POST /campaigns/columns":               {least: account.Operator, silent: "books nothing", status: http.StatusUnprocessableEntity},
		"POST /campaigns/check":                 {least: account.Operator, form: draftForm(), silent: "books nothing", status: http.StatusOK},
		"POST /campaigns":                       {least: account.Operator, form: draftForm()},
		"POST /campaigns/:campaign/pause":       {least: account.Operator},
		"POST /campaigns/:campaign/resume":      {least: account.Operator, silent: "it runs already"},
		"GET /campaigns/:campaign/cancel":       {least: account.Operator},
		"POST /campaigns/:campaign/cancel":      {least: account.Operator},
		"GET /campaigns/:campaign/retry":        {least: account.Operator},
		"POST /campaigns/:campaign/retry":       {least: account.Operator},
	}
}

func flowRoutes() map[string]routePromise {
	return map[string]routePromise{
		"GET /rules":         {least: account.Viewer},
		"POST /rules":        {least: account.Owner, form: newForm("hours", "any", "recording", "on")},
		"POST /rules/stop":   {least: account.Operator},
		"GET /rules/resume":  {least: account.Owner},
		"POST /rules/resume": {least: account.Owner},

		"GET /rules/suppressions":         {least: account.Viewer},
		"GET /rules/suppressions.csv":     {least: account.Viewer},
		"POST /rules/suppressions":        {least: account.Operator, form: newForm("number", "+966512345677")},
		"POST /rules/suppressions/import": {least: account.Operator, silent: "no file, no change", status: http.StatusUnprocessableEntity},
		"GET /rules/suppressions/remove":  {least: account.Operator, query: "?number=%2B966500000000"},
		"POST /rules/suppressions/remove": {least: account.Operator, form: newForm("number", "+966500000000")},

		"POST /rules/propose": {least: account.Owner, form: newForm("rule", "attempts", "next", "/console/campaigns/new")},
		"GET /phrases":        {least: account.Viewer},
		"POST /phrases":       {least: account.Operator, form: newForm("entry.use", "own", "entry", "ابدأ الطلب")},
		"GET /phrases/reset":  {least: account.Operator},
		"POST /phrases/reset": {least: account.Operator},

		"GET /scenarios":                             {least: account.Viewer},
		"GET /scenarios.csv":                         {least: account.Viewer},
		"GET /scenarios/new":                         {least: account.Operator},
		"POST /scenarios":                            {least: account.Operator, form: newForm("from", "restaurant_order", "name", "Copy", "id", "copy")},
		"GET /scenarios/:scenario":                   {least: account.Viewer},
		"POST /scenarios/:scenario":                  {least: account.Operator, form: newForm("json", ":source")},
		"GET /scenarios/:scenario/sound":             {least: account.Viewer, query: "?line=0"},
		"POST /scenarios/:scenario/draft":            {least: account.Operator, form: newForm("json", ":source"), silent: "a draft is not saved", status: http.StatusOK},
		"GET /scenarios/:scenario/hear":              {least: account.Operator, query: "?text=مرحبا"},
		"GET /scenarios/:scenario/talk":              {least: account.Operator},
		"GET /scenarios/:scenario/talk/line":         {least: account.Operator, status: http.StatusNoContent},
		"GET /scenarios/:scenario/edit":              {least: account.Operator},
		"GET /scenarios/:scenario/versions":          {least: account.Viewer},
		"GET /scenarios/:scenario/versions/:version": {least: account.Viewer},
		"GET /scenarios/:scenario/delete":            {least: account.Operator},
		"POST /scenarios/:scenario/delete":           {least: account.Operator},
		"POST /scenarios/:scenario/tests":            {least: account.Operator, silent: "it saves nothing", status: http.StatusOK},
		"POST /scenarios/:scenario/ring":             {least: account.Operator, silent: "nobody has an extension"},
		"POST /scenarios/:scenario/proposals":        {least: account.Operator, form: newForm("accept", "none"), silent: "nothing is proposed"},
		"POST /scenarios/:scenario/try":              {least: account.Operator, form: newForm("person", "00"), silent: "the call platform keeps the trial"},

		"GET /reports":                    {least: account.Viewer},
		"GET /reports.csv":                {least: account.Viewer},
		"GET /reports/caller-numbers.csv": {least: account.Viewer},
		"GET /workbench":                  {least: account.Viewer},
		"POST /workbench":                 {least: account.Operator, form: newForm("use", "sample", "sample", "order"), silent: "changes nothing"},
	}
}

// fillPattern replaces the names in a pattern by the fixture's ids.
func (w *consoleFixture) fillPattern(pattern string) string {
	return strings.NewReplacer(
		":organization", "acme", ":campaign", w.campaign.ID, ":user", w.someone, ":key", w.key, ":delivery", w.delivery, ":destination", w.destination, ":replay", w.replay, ":event", w.event, ":alert", w.alert, ":scenario", "mine", ":trunk", "stc", ":version", "1",
		":running", w.running.ID, ":over", w.over.ID, ":number", w.over.PhoneNumber, ":id", w.scheduled.ID, ":live", w.liveID, ":onair", w.onAir,
		":format", "txt", ":language", "en", ":page", "webhooks",
	).Replace(pattern)
}

// requestRoute sends a valid request to a route, as a user with that role.
func (w *consoleFixture) requestRoute(who account.UserRole, name string, route routePromise) testAnswer {
	w.t.Helper()
	method, path, _ := strings.Cut(name, " ")
	body := url.Values{"csrf": {"csrf-" + string(who)}}
	for field, values := range route.form {
		for _, v := range values {
			body.Add(field, w.fillPattern(v))
		}
	}
	if body.Get("json") == ":source" {
		body.Set("json", w.scenarioSource())
	}
	if kind := body.Get("offer"); kind != "" {
		offer, code := w.factorForm(who, kind)
		body.Set("offer", offer)
		body.Set("code", code)
	}
	r := httptest.NewRequest(method, "/console"+w.fillPattern(path+route.query), nil)
	if method == http.MethodPost {
		r = httptest.NewRequest(method, "/console"+w.fillPattern(path), strings.NewReader(body.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if !route.flows {
		return w.sendRequest(who, r)
	}
	ctx, leave := context.WithCancel(r.Context())
	defer leave()
	return w.serveInto(who, r.WithContext(ctx), leavingReader{httptest.NewRecorder(), leave})
}

// leavingReader reads the beginning of a response and disconnects.
type leavingReader struct {
	*httptest.ResponseRecorder
	leave func()
}

func (l leavingReader) Write(b []byte) (int, error) {
	defer l.leave()
	return l.ResponseRecorder.Write(b)
}

func (l leavingReader) WriteHeader(status int) {
	defer l.leave()
	l.ResponseRecorder.WriteHeader(status)
}

func (l leavingReader) Flush() {
	defer l.leave()
	l.ResponseRecorder.Flush()
}

func (w *consoleFixture) serveInto(who account.UserRole, r *http.Request, to leavingReader) testAnswer {
	r.AddCookie(&http.Cookie{Name: "munadi_session", Value: string(who)})
	w.echo.ServeHTTP(to, r)
	return testAnswer{to.ResponseRecorder, w.t}
}

// scenarioSource returns the editor's JSON of a scenario.
func (w *consoleFixture) scenarioSource() string {
	w.t.Helper()
	area := regexp.MustCompile(`(?s)<textarea[^>]*name="json"[^>]*>(.*?)</textarea>`)
	found := area.FindStringSubmatch(w.getPage(account.Owner, "/scenarios/mine/edit").wantStatus(200).Body.String())
	if found == nil {
		w.t.Fatal("the editor shows no source")
	}
	return html.UnescapeString(found[1])
}

// TestEveryRouteIsKnown checks that every route is listed in this file.
func TestEveryRouteIsKnown(t *testing.T) {
	t.Parallel()
	known := map[string]bool{
		"GET /certificate": true, "GET /certificate/munadi.crt": true, // needed before a safe sign-in
		"GET /sign-in": true, "POST /sign-in": true, "GET /sign-in/code": true, "POST /sign-in/code": true,
		"POST /sign-in/passkey": true, "POST /sign-in/passkey/options": true, "POST /sign-in/code/passkey": true, "POST /sign-in/code/passkey/options": true,
		"GET /sign-in/company": true, "GET /sign-in/company/callback": true, "POST /sign-in/company/logout": true, "GET /setup/:token": true, "POST /setup/:token": true, // without a session
	}
	plain := strings.NewReplacer(":running", ":id", ":over", ":id", ":onair", ":id", ":live", ":id")
	for name := range signedInRoutes() {
		known[plain.Replace(name)] = true
	}
	there := map[string]bool{}
	for _, r := range newFixture(t).echo.Routes() {
		if r.Method == http.MethodGet || r.Method == http.MethodPost {
			there[r.Method+" "+strings.TrimPrefix(r.Path, "/console")] = true
		}
	}
	for name := range known {
		if !there[name] {
			t.Errorf("there is no route %s", name)
		}
	}
	for name := range there {
		if !known[name] {
			t.Errorf("nothing is said of route %s", name)
		}
	}
}

// allowsRole reports whether a role may use the route.
func (r routePromise) allowsRole(who account.UserRole) bool {
	if r.least == governor {
		return who == governor
	}
	return who.Allows(r.least)
}

// TestEveryRouteAsksForItsRole checks that every route admits exactly its roles, and that without a session a GET leads
// to the sign-in page and a POST changes nothing.
func TestEveryRouteAsksForItsRole(t *testing.T) {
	t.Parallel()
	for name, route := range signedInRoutes() {
		t.Run(strings.ReplaceAll(name, "/", "·"), func(t *testing.T) {
			t.Parallel()
			w := newFixture(t)
			good := route.status
			if good == 0 {
				good = map[bool]int{true: http.StatusOK, false: http.StatusSeeOther}[strings.HasPrefix(name, "GET")]
			}
			refused := http.StatusForbidden
			turned := map[bool]int{true: http.StatusSeeOther, false: http.StatusUnauthorized}[strings.HasPrefix(name, "GET")]
			if got := w.requestRoute("nobody", name, route).Code; got != turned {
				t.Errorf("without a session: %d, want %d", got, turned)
			}
			let := governor
			for _, who := range slices.Backward(account.AllRoles()) { // the least role comes last, since its request changes the fixture
				if route.allowsRole(who) {
					let = who
				}
			}
			for _, who := range account.AllRoles() {
				if route.allowsRole(who) {
					continue
				}
				if route.least == governor && who == account.Owner {
					refused = http.StatusNotFound // its existence is hidden
				}
				if got := w.requestRoute(who, name, route).Code; got != refused {
					t.Errorf("%s: %d, want %d", who, got, refused)
				}
			}
			if got := w.requestRoute(let, name, route); got.Code != good {
				t.Errorf("%s: %d, want %d: %.400s", let, got.Code, good, got.Body)
			}
		})
	}
}

// TestRivalSeesNothing checks that for an owner of another organization every record is not found (404).
func TestRivalSeesNothing(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	for name, route := range signedInRoutes() {
		if _, named, _ := strings.Cut(name, "/:"); named == "" || route.shared {
			continue
		}
		if got := w.requestRoute(rival, name, route); got.Code != http.StatusNotFound {
			t.Errorf("%s: %d, want 404: %.300s", name, got.Code, got.Body)
		}
	}
	for _, id := range []string{w.scheduled.ID, w.over.ID, w.someone, w.key, w.delivery, w.liveID, w.campaign.ID, `"mine"`} {
		for name, route := range signedInRoutes() {
			if strings.HasPrefix(name, "GET") && !strings.Contains(name, "/:") && !route.flows && route.allowsRole(account.Owner) {
				if strings.Contains(w.requestRoute(rival, name, route).Body.String(), id) {
					t.Errorf("%s reveals %s", name, id)
				}
			}
		}
	}
}

// TestRivalNamesNothing checks that ids of another organization in forms and queries are not found and change nothing.
func TestRivalNamesNothing(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	for path, tells := range map[string]string{
		"/calls/cancel?id=" + w.scheduled.ID: w.scheduled.ID, "/calls?number=966": w.scheduled.ID, "/calls.csv": w.scheduled.ID,
		"/calls/new?scenario=mine": `"mine"`, "/calls?scenario=mine": `"mine"`, "/scenarios/new?from=mine": `"mine"`,
		"/rules/suppressions?number=966500000000": "/remove?number", "/rules/suppressions.csv": "966500000000",
		"/live?q=نعم": w.liveID, "/webhook?state=delivered": w.delivery, "/audit.csv": w.someone,
	} {
		if strings.Contains(w.getPage(rival, path).Body.String(), tells) {
			t.Errorf("%s reveals %s", path, tells)
		}
	}
	before := w.countAuditLines()
	for path, sent := range map[string]url.Values{
		"/calls/cancel":              newForm("id", w.scheduled.ID),
		"/calls":                     newForm("once", anyUUID, "phone_number", anyNumber, "scenario_id", "mine"),
		"/scenarios":                 newForm("from", "mine", "name", "Taken", "id", "taken"),
		"/rules/suppressions/remove": newForm("number", "+966500000000"),
		"/account/sessions/end":      newForm("session", "00"),
	} {
		w.postForm(rival, path, sent)
	}
	if found, err := w.store.FindCall(t.Context(), "acme", w.scheduled.ID); err != nil || found.Status != call.Scheduled {
		t.Errorf("%s, %v", found.Status, err)
	}
	for line, n := range w.countAuditLines() {
		if n > before[line] {
			t.Errorf("the audit trail says %s", line)
		}
	}
}

// TestEveryActIsAudited checks that every change is in the audit trail with its actor.
func TestEveryActIsAudited(t *testing.T) {
	t.Parallel()
	for name, route := range signedInRoutes() {
		if !strings.HasPrefix(name, "POST") {
			continue
		}
		t.Run(strings.ReplaceAll(name, "/", "·"), func(t *testing.T) {
			t.Parallel()
			w, who := newFixture(t), account.Owner
			if route.least == governor {
				who = governor
			}
			before := w.countAuditLines()
			w.requestRoute(who, name, route)
			var said []string
			for line, n := range w.countAuditLines() {
				if n > before[line] && strings.HasPrefix(line, "user:id-"+string(who)+" ") {
					said = append(said, line)
				}
			}
			if (len(said) == 0) != (route.silent != "") {
				t.Errorf("the audit trail says %v; silent because: %q", said, route.silent)
			}
		})
	}
}

// countAuditLines counts the entries of all audit trails.
func (w *consoleFixture) countAuditLines() map[string]int {
	w.t.Helper()
	lines := map[string]int{}
	all, err := w.store.ListOrganizations(w.t.Context())
	w.mustSucceed(err)
	for _, o := range all {
		found, err := w.store.AuditTrail(w.t.Context(), o.ID, 200, "")
		w.mustSucceed(err)
		for _, c := range found.Items {
			lines[c.Actor+" "+c.Action+" "+c.Subject]++
		}
	}
	return lines
}

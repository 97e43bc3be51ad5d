package admin

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/replay"
)

const (
	maxBody   = 64 << 10 // of a request, in bytes
	maxAnswer = 64 << 20 // of an answer, in bytes
)

// operation is a call of the admin socket: target, the database or the process, answers a request Q with an A.
type operation[target, Q, A any] struct {
	route string // method and path
	act   func(target, context.Context, Q) (A, error)
}

// nothing is the request or the answer of an operation that needs none.
type nothing struct{}

// The operations on the database.
var (
	createKey          = operation[*LocalAdmin, newKeyRequest, newKeyAnswer]{"POST /keys", (*LocalAdmin).createKey}
	listKeys           = operation[*LocalAdmin, string, []KeyView]{"POST /keys/list", (*LocalAdmin).listKeys}
	revokeKey          = operation[*LocalAdmin, string, KeyView]{"POST /keys/revoke", (*LocalAdmin).revokeKey}
	createOrganization = operation[*LocalAdmin, account.Organization, account.Organization]{
		"POST /organizations", (*LocalAdmin).createOrganization,
	}
	listOrganizations = operation[*LocalAdmin, nothing, []account.Organization]{
		"GET /organizations", (*LocalAdmin).listOrganizations,
	}
	createUser         = operation[*LocalAdmin, userRequest, UserView]{"POST /users", (*LocalAdmin).createUser}
	listUsers          = operation[*LocalAdmin, string, []UserView]{"POST /users/list", (*LocalAdmin).listUsers}
	setPassword        = operation[*LocalAdmin, userRequest, UserView]{"POST /users/password", (*LocalAdmin).setPassword}
	removeSecondFactor = operation[*LocalAdmin, userRequest, UserView]{
		"POST /users/second-factor/remove", (*LocalAdmin).removeSecondFactor,
	}
	verifyAudit = operation[*LocalAdmin, nothing, []AuditReport]{
		"GET /audit/verification", (*LocalAdmin).verifyAudit,
	}
	findTrace         = operation[*LocalAdmin, string, call.LineTrace]{"POST /calls/trace", (*LocalAdmin).findTrace}
	compareAudit      = operation[*LocalAdmin, auditComparison, string]{"POST /audit/compare", (*LocalAdmin).compareAudit}
	startReplay       = operation[*LocalAdmin, ReplayStart, replay.Replay]{"POST /replays", (*LocalAdmin).startReplay}
	listReplays       = operation[*LocalAdmin, string, []replay.Replay]{"POST /replays/list", (*LocalAdmin).listReplays}
	actOnReplay       = operation[*LocalAdmin, replayAct, replay.Replay]{"POST /replays/act", (*LocalAdmin).actOnReplay}
	listReplayResults = operation[*LocalAdmin, resultPage, store.ListPage[replay.Result]]{
		"POST /replays/results", (*LocalAdmin).listReplayResults,
	}
	signingKey = operation[*LocalAdmin, nothing, string]{"GET /evidence/key", (*LocalAdmin).signingKey}
)

// onDatabase lists the operations on the database.
var onDatabase = []interface {
	serve(*http.ServeMux, *LocalAdmin)
}{
	createKey, listKeys, revokeKey, createOrganization, listOrganizations, createUser, listUsers, setPassword,
	removeSecondFactor, verifyAudit, findTrace, compareAudit, signingKey,
	startReplay, listReplays, actOnReplay, listReplayResults,
}

// The operations on the running appliance.
var (
	reloadModel    = operation[ProcessControl, nothing, nothing]{"POST /model/reload", ProcessControl.reloadModel}
	reloadSettings = operation[ProcessControl, nothing, ReloadResult]{
		"POST /settings/reload", ProcessControl.reloadSettings,
	}
	checkUp       = operation[ProcessControl, nothing, []CheckFinding]{"GET /checkup", ProcessControl.checkUp}
	askSupport    = operation[ProcessControl, nothing, SupportReport]{"GET /support", ProcessControl.support}
	askEncryption = operation[ProcessControl, nothing, backupEncryption]{
		"GET /backup/encryption", ProcessControl.encryption,
	}
	askSettings = operation[ProcessControl, nothing, map[string]string]{"GET /settings", ProcessControl.settings}
	testMail    = operation[ProcessControl, testMailRequest, nothing]{"POST /mail/test", ProcessControl.testMail}
)

// onProcess lists the operations on the running appliance.
var onProcess = []interface {
	serve(*http.ServeMux, ProcessControl)
}{reloadModel, reloadSettings, checkUp, askSupport, askEncryption, askSettings, testMail}

// serve adds the operation's route: its answer, or the store's code and message of an error.
func (o operation[target, Q, A]) serve(mux *http.ServeMux, on target) {
	mux.HandleFunc(o.route, func(w http.ResponseWriter, r *http.Request) {
		var q Q
		if _, none := any(q).(nothing); !none {
			if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&q); err != nil {
				writeAnswer(w, nil, store.Errorf(store.CodeInvalid, "the request is not JSON: %v", err))
				return
			}
		}
		answer, err := o.act(on, r.Context(), q)
		writeAnswer(w, answer, err)
	})
}

// run executes an operation on the database, here or in the running appliance.
func (o operation[target, Q, A]) run(ctx context.Context, s AdminService, q Q) (answer A, err error) {
	if here, isHere := any(s.local).(target); isHere && s.local != nil {
		return o.act(here, ctx, q)
	}
	content, err := json.Marshal(q)
	if err != nil {
		return answer, fmt.Errorf("call the appliance: %w", err)
	}
	method, path, _ := strings.Cut(o.route, " ")
	request, err := http.NewRequestWithContext(ctx, method, "http://appliance"+path, bytes.NewReader(content))
	if err != nil {
		return answer, fmt.Errorf("call the appliance: %w", err)
	}
	response, err := s.client.Do(request)
	if err != nil {
		return answer, fmt.Errorf("call the appliance: %w", err)
	}
	defer response.Body.Close()
	decoder := json.NewDecoder(io.LimitReader(response.Body, maxAnswer))
	if response.StatusCode >= http.StatusBadRequest {
		return answer, decodeRefusal(response.Status, decoder)
	}
	if err := decoder.Decode(&answer); err != nil {
		return answer, fmt.Errorf("read the appliance's answer: %w", err)
	}
	return answer, nil
}

// ask executes an operation in the appliance on a data folder; running is false when none runs there.
func (o operation[target, Q, A]) ask(ctx context.Context, dir string) (answer A, running bool, err error) {
	s, running := connectRunning(ctx, dir)
	if !running {
		return answer, false, nil
	}
	defer func() { _ = s.Close() }()
	var none Q
	answer, err = o.run(ctx, s, none)
	return answer, true, err
}

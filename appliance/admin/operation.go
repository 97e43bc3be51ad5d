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

// operations are those of a target.
type operations[target any] []interface {
	serve(mux *http.ServeMux, on target)
}

// declare adds an operation to those of its target.
func declare[target, Q, A any](
	all *operations[target], route string, act func(target, context.Context, Q) (A, error),
) operation[target, Q, A] {
	o := operation[target, Q, A]{route, act}
	*all = append(*all, o)
	return o
}

// mount adds the routes of all operations.
func (all operations[target]) mount(mux *http.ServeMux, on target) {
	for _, o := range all {
		o.serve(mux, on)
	}
}

// The operations on the database.
var (
	onDatabase operations[*LocalAdmin]

	createKey          = declare(&onDatabase, "POST /keys", (*LocalAdmin).createKey)
	listKeys           = declare(&onDatabase, "POST /keys/list", (*LocalAdmin).listKeys)
	revokeKey          = declare(&onDatabase, "POST /keys/revoke", (*LocalAdmin).revokeKey)
	createOrganization = declare(&onDatabase, "POST /organizations", (*LocalAdmin).createOrganization)
	listOrganizations  = declare(&onDatabase, "GET /organizations", (*LocalAdmin).listOrganizations)
	createUser         = declare(&onDatabase, "POST /users", (*LocalAdmin).createUser)
	listUsers          = declare(&onDatabase, "POST /users/list", (*LocalAdmin).listUsers)
	setPassword        = declare(&onDatabase, "POST /users/password", (*LocalAdmin).setPassword)
	removeSecondFactor = declare(&onDatabase, "POST /users/second-factor/remove", (*LocalAdmin).removeSecondFactor)
	verifyAudit        = declare(&onDatabase, "GET /audit/verification", (*LocalAdmin).verifyAudit)
	findTrace          = declare(&onDatabase, "POST /calls/trace", (*LocalAdmin).findTrace)
	compareAudit       = declare(&onDatabase, "POST /audit/compare", (*LocalAdmin).compareAudit)
	startReplay        = declare(&onDatabase, "POST /replays", (*LocalAdmin).startReplay)
	listReplays        = declare(&onDatabase, "POST /replays/list", (*LocalAdmin).listReplays)
	actOnReplay        = declare(&onDatabase, "POST /replays/act", (*LocalAdmin).actOnReplay)
	listReplayResults  = declare(&onDatabase, "POST /replays/results", (*LocalAdmin).listReplayResults)
	signingKey         = declare(&onDatabase, "GET /evidence/key", (*LocalAdmin).signingKey)
)

// The operations on the running appliance.
var (
	onProcess operations[ProcessControl]

	reloadModel    = declare(&onProcess, "POST /model/reload", ProcessControl.reloadModel)
	reloadSettings = declare(&onProcess, "POST /settings/reload", ProcessControl.reloadSettings)
	checkUp        = declare(&onProcess, "GET /checkup", ProcessControl.checkUp)
	askSupport     = declare(&onProcess, "GET /support", ProcessControl.support)
	askEncryption  = declare(&onProcess, "GET /backup/encryption", ProcessControl.encryption)
	askSettings    = declare(&onProcess, "GET /settings", ProcessControl.settings)
	testMail       = declare(&onProcess, "POST /mail/test", ProcessControl.testMail)
)

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
func (o operation[target, Q, A]) ask(ctx context.Context, dir string, q Q) (answer A, running bool, err error) {
	s, running := connectRunning(ctx, dir)
	if !running {
		return answer, false, nil
	}
	defer func() { _ = s.Close() }()
	answer, err = o.run(ctx, s, q)
	return answer, true, err
}

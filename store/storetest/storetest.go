// Package storetest is the conformance suite of [store.Store]: it tests what the contract's comments specify. An
// implementation's test calls [RunSuite] with a function that opens an empty store; database-specific properties
// (durability, locking) are tested with the implementation.
package storetest

import (
	"context"
	"io"
	"testing"
	"time"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/call"
)

// RunSuite runs the suite on the stores that open creates. Each test gets an empty store and closes it; open fails the
// test on errors.
func RunSuite(t *testing.T, open func(t *testing.T) store.Store) {
	t.Helper()
	for name, check := range map[string]func(*testing.T, store.Store){
		"installation":                testInstallation,
		"campaign life":               campaignLife,
		"waiting calls":               waitingCalls,
		"campaign cancelled":          campaignCancelled,
		"campaign once":               campaignOnce,
		"campaign retried":            campaignRetried,
		"campaigns separate":          campaignsSeparate,
		"import memory":               importMemory,
		"bootstrap":                   testBootstrap,
		"bootstrap with organization": bootstrapWithOrganization,
		"organizations":               testOrganizations,
		"keys":                        testKeys,
		"keys conflict":               keyConflicts,
		"keys revoked":                keyRevoked,
		"keys touched":                keyTouched,
		"session modes":               sessionModes,
		"session touched":             sessionTouched,
		"sessions expire":             sessionsExpire,
		"phrases":                     testPhrases,
		"job life":                    jobLife,
		"job failed":                  jobFailed,
		"job refusals":                jobRefusals,
		"jobs in order":               jobsInOrder,
		"jobs take turns":             jobsTakeTurns,
		"jobs within limits":          jobsWithinLimits,
		"jobs claimed once":           jobsClaimedOnce,
		"jobs requeued":               jobsRequeued,
		"jobs returned":               jobsReturned,
		"jobs expire":                 jobsExpire,
		"jobs listed":                 jobsListed,
		"jobs removed":                jobsRemoved,
		"job callbacks":               jobCallbacks,
		"job callback removed":        jobCallbackRemoved,
		"organizations separate":      testTenantIsolation,
		"call life":                   callLife,
		"call traces":                 callTraces,
		"call table":                  callTable,
		"call refusals":               callRefusals,
		"call hung up":                callHungUp,
		"calls rescued":               callsRescued,
		"calls due":                   callsDue,
		"calls due by room":           callsDueOf,
		"calls no longer due":         callsNoLongerDue,
		"call pages":                  callPages,
		"call cursors":                callCursors,
		"calls found":                 callsFound,
		"calls examined":              callsExamined,
		"calls moved meanwhile":       callsMovedWhileListed,
		"needs person":                needsPerson,
		"marked order":                markedOrder,
		"call notes":                  callNotes,
		"corrected answers":           correctedAnswers,
		"erased amendments":           erasedAmendments,
		"calls searched":              callsSearched,
		"calls named":                 callsNamed,
		"many names":                  manyNamesFound,
		"older calls named":           olderCallsNamed,
		"call attempts":               callAttempts,
		"people at random":            peopleAtRandom,
		"people of campaigns":         peopleOfCampaigns,
		"people under load":           peopleUnderLoad,
		"erased in the middle":        erasedInTheMiddle,
		"calls separate":              callsSeparate,
		"calls at random":             callsAtRandom,
		"moved meanwhile":             movedMeanwhile,
		"calls returned":              callsReturned,
		"retry chain":                 retryChain,
		"retry in closed hours":       retryInClosedHours,
		"promised call back":          promisedCallBack,
		"retry moved":                 retryMovedAndCancelled,
		"retry forbidden":             retryForbidden,
		"retry after stop":            retryAfterStop,
		"receipts":                    testReceipts,
		"receipt of refused":          receiptOfRefused,
		"receipts at once":            receiptsAtOnce,
		"receipts expire":             receiptsExpire,
		"alerts":                      testAlerts,
		"alerts by many":              alertsByMany,
		"bulk changes":                testBulk,
		"replays":                     testReplays,
		"bulk claimed once":           bulkClaimedOnce,
		"webhook":                     testWebhook,
		"outbox rows":                 outboxRows,
		"delivery tries":              deliveryTries,
		"delivery order":              deliveryOrder,
		"delivery room":               deliveryRoom,
		"kept body":                   keptBody,
		"redelivered":                 testRedelivery,
		"deliveries listed":           deliveriesListed,
		"events of calls":             eventsOfCalls,
		"events of other ends":        eventsOfOtherEnds,
		"events of others":            eventsOfOthers,
		"event tries":                 eventTries,
		"event room":                  eventRoom,
		"destination health":          destinationHealth,
		"destination removed":         destinationRemoved,
		"events erased":               eventsErased,
		"events replayed":             eventsReplayed,
		"events expire":               eventsExpire,
		"woken":                       testWatchers,
		"rules":                       testRules,
		"rules kept":                  rulesKept,
		"audit read":                  auditRead,
		"inbound settings":            inboundSettings,
		"inbound routes":              inboundRoutes,
		"mail settings":               mailSettings,
		"trunk settings":              trunkSettings,
		"audit forwarded":             auditForwarded,
		"audit forwarded beside":      auditForwardedBeside,
		"audit forwarding taken":      auditForwardingTaken,
		"inbound call":                inboundCall,
		"trial":                       trialCall,
		"inbound lines":               inboundLines,
		"called back":                 calledBack,
		"called back in a retry":      calledBackDuringTheRetry,
		"called back in a campaign":   calledBackInCampaign,
		"called back by staff":        calledBackByStaff,
		"staff unreached":             staffUnreached,
		"person forbidden meanwhile":  forbiddenPerson,
		"settled by staff":            settledByStaff,
		"suppressions":                testSuppressions,
		"suppression list":            suppressionList,
		"scenarios":                   testScenarios,
		"scenario versions":           testScenarioVersions,
		"scenario drafts":             testScenarioDrafts,
		"live sessions":               liveSessions,
		"live sessions expire":        liveSessionsExpire,
		"audited":                     auditedWithChange,
		"unaudited":                   unauditedUnmade,
		"audit pages":                 auditPages,
		"audit verified":              auditVerified,
		"audit at once":               auditAtOnce,
		"erased everywhere":           erasedEverywhere,
		"erasure interrupted":         erasureInterrupted,
		"erasure resumed":             erasureResumed,
		"erased":                      testErasure,
		"erased while running":        erasedWhileRunning,
		"many erased":                 manyErased,
		"expired":                     testExpiry,
		"users":                       testUsers,
		"user changed":                userChanged,
		"last owner":                  lastOwner,
		"web sessions":                webSessions,
		"web sessions end":            webSessionsEnd,
		"one-time records":            oneTimeRecords,
		"whole installation":          filledStore,
		"cancelled":                   testCancelledContext,
		"closed":                      testClosedStore,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			t.Cleanup(func() {
				if err := s.Close(); err != nil {
					t.Errorf("Close: %v", err)
				}
			})
			check(t, s)
		})
	}
}

// startTime returns the time at which the tests begin.
func startTime() time.Time { return time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC) }

// wantCode fails unless err has the code; empty means no error.
func wantCode(t *testing.T, what string, err error, code store.ErrorCode) {
	t.Helper()
	if got := store.CodeOf(err); got != code {
		t.Fatalf("%s: error %v, want code %q", what, err, code)
	}
}

// addOrganizations creates organizations of these ids.
func addOrganizations(t *testing.T, s store.Store, ids ...string) {
	t.Helper()
	for _, id := range ids {
		err := s.CreateOrganization(t.Context(), account.Organization{ID: id, Name: "Organization " + id, CreatedAt: startTime()}, asked)
		wantCode(t, "CreateOrganization "+id, err, "")
	}
}

// allMethods returns a call of every method, for tests that apply to all.
func allMethods(s store.Store) map[string]func(context.Context) error {
	now := startTime()
	return map[string]func(context.Context) error{
		"Bootstrap": func(ctx context.Context) error {
			_, err := s.Bootstrap(ctx, account.Organization{ID: "x"}, nil, now)
			return err
		},
		"CreateOrganization": func(ctx context.Context) error {
			return s.CreateOrganization(ctx, account.Organization{ID: "y"}, asked)
		},
		"Organizations": func(ctx context.Context) error { _, err := s.ListOrganizations(ctx); return err },
		"UserByName":    func(ctx context.Context) error { _, err := s.UserByName(ctx, "x"); return err },
		"EndSessions":   func(ctx context.Context) error { _, err := s.EndSessions(ctx, "x", nil); return err },
		"KeyByHash":     func(ctx context.Context) error { _, err := s.KeyByHash(ctx, []byte{1}); return err },
		"TouchKey":      func(ctx context.Context) error { return s.TouchKey(ctx, "x", "y", now) },
		"TouchSession":  func(ctx context.Context) error { _, err := s.TouchSession(ctx, "x", "y", now); return err },
		"Phrases":       func(ctx context.Context) error { _, err := s.FindPhrases(ctx, "x"); return err },
		"ClaimJob":      func(ctx context.Context) error { _, _, err := s.ClaimJob(ctx, now); return err },
		"QueuedJobs":    func(ctx context.Context) error { _, _, err := s.QueuedJobs(ctx, "x"); return err },
		"Book": func(ctx context.Context) error {
			_, err := s.BookCall(ctx, newCall("x", 0), asked, nil)
			return err
		},
		"CallsPage": func(ctx context.Context) error {
			_, err := s.CallsPage(ctx, "x", store.CallFilter{Limit: 1})
			return err
		},
		"SearchCalls": func(ctx context.Context) error {
			_, err := s.SearchCalls(ctx, "x", store.CallFilter{Limit: 1}, "", func(call.Call) (bool, bool) { return true, true })
			return err
		},
		"AmendCall": func(ctx context.Context) error {
			_, err := s.AmendCall(ctx, "x", "y", call.Amendment{Kind: call.AmendNote, Text: "x"}, asked, now)
			return err
		},
		"CampaignsPage": func(ctx context.Context) error { _, err := s.CampaignsPage(ctx, "x", 1, ""); return err },
		"WaitingCalls":  func(ctx context.Context) error { _, err := s.WaitingCalls(ctx, "x", now); return err },
		"PauseCampaign": func(ctx context.Context) error {
			_, err := s.ChangeCampaign(ctx, "x", "y", store.PauseCampaign, asked, now)
			return err
		},
		"DueCampaignCalls": func(ctx context.Context) error {
			_, _, err := s.DueCampaignCalls(ctx, roomForCampaign, now, 1)
			return err
		},
		"DueCallsOf": func(ctx context.Context) error { _, _, err := FindDueCalls(ctx, s, now, 1); return err },
		"KeepRecordingSum": func(ctx context.Context) error {
			return s.KeepRecordingSum(ctx, "x", "y", call.RecordingSum{})
		},
		"RescueCalls": func(ctx context.Context) error { _, err := s.RescueCalls(ctx, now); return err },
		"DueDeliveries": func(ctx context.Context) error {
			_, _, err := s.DueDeliveries(ctx, roomForAll, nil, now, 1)
			return err
		},
		"FindDestinations": func(ctx context.Context) error { _, err := s.FindDestinations(ctx, "x"); return err },
		"DueEvents": func(ctx context.Context) error {
			_, _, err := s.DueEvents(ctx, roomForAll, nil, now, 1)
			return err
		},
		"ExpireEvents": func(ctx context.Context) error { _, err := s.ExpireEvents(ctx, now); return err },
		"ErasePerson": func(ctx context.Context) error {
			_, err := s.ErasePerson(ctx, "x", number, asked, now)
			return err
		},
		"Rules":      func(ctx context.Context) error { _, err := s.FindRules(ctx, "x"); return err },
		"Backup":     func(ctx context.Context) error { return s.WriteBackup(ctx, io.Discard) },
		"ExpireJobs": func(ctx context.Context) error { _, err := s.ExpireJobs(ctx, now); return err },
	}
}

// testCancelledContext: a call whose context has ended does nothing.
func testCancelledContext(t *testing.T, s store.Store) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, call := range allMethods(s) {
		if err := call(ctx); err == nil {
			t.Errorf("%s succeeds under an ended context", name)
		}
	}
	if all, err := s.ListOrganizations(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("calls under an ended context left %v, %v", all, err)
	}
}

// testClosedStore: every call after Close fails with CodeClosed, and Close may be called again.
func testClosedStore(t *testing.T, s store.Store) {
	wantCode(t, "Close", s.Close(), "")
	for name, call := range allMethods(s) {
		if err := call(t.Context()); store.CodeOf(err) != store.CodeClosed {
			t.Errorf("%s on a closed store: %v", name, err)
		}
	}
	wantCode(t, "second Close", s.Close(), "")
}

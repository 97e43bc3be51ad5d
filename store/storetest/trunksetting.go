package storetest

import (
	"errors"
	"reflect"
	"testing"

	"munadi/store"
	"munadi/store/siptrunk"
)

// newTrunks returns a trunk with every field, and one with the necessary ones.
func newTrunks() []siptrunk.Trunk {
	return []siptrunk.Trunk{
		{
			Name: "stc", Address: "sips:trunk.example.com", Prefixes: []string{"+966"}, Lines: 30, User: "munadi",
			Password: []byte{0, 1, 255}, From: "966112345678", Register: true, InboundDigest: "sha-256", SRTP: true, CallsPerSecond: 9, Plus: "00",
			Identity: "966112345670", Callers: []string{"+96611"}, Listen: "0.0.0.0:5060",
			Authority: "-----BEGIN CERTIFICATE-----\n", Codecs: []string{"g722", "pcma"},
		},
		{Name: "pbx", Address: "sip:192.0.2.1"},
	}
}

// trunkSettings: the SIP trunks are read back in order, and belong to their organization; a refused change changes
// nothing.
func trunkSettings(t *testing.T, s store.Store) {
	addOrganizations(t, s, "airline")
	ctx, now := t.Context(), startTime()
	change := func(kept *siptrunk.Setting) error {
		kept.Trunks = newTrunks()
		return nil
	}
	wantCode(t, "trunks of nobody", s.ChangeTrunks(ctx, "bakery", asked, now, change), store.CodeNotFound)
	addOrganizations(t, s, "bakery")
	wantCode(t, "ChangeTrunks", s.ChangeTrunks(ctx, "bakery", asked, now, change), "")
	refused := errors.New("refused")
	err := s.ChangeTrunks(ctx, "bakery", asked, now, func(kept *siptrunk.Setting) error {
		kept.Trunks[0].Address = "sip:other"
		return refused
	})
	if !errors.Is(err, refused) {
		t.Errorf("the error of the change is %v", err)
	}
	got, err := s.FindTrunks(ctx, "bakery")
	wantCode(t, "FindTrunks", err, "")
	if !reflect.DeepEqual(got.Trunks, newTrunks()) || !got.UpdatedAt.Equal(now) {
		t.Errorf("read back %+v", got)
	}
	got, err = s.FindTrunks(ctx, "airline")
	if wantCode(t, "FindTrunks of another", err, ""); len(got.Trunks) != 0 {
		t.Errorf("another organization has %+v", got)
	}
}

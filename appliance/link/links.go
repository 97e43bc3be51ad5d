package link

import (
	"net/url"
	"strings"
	"time"
)

// Root is where the call platform lies below the public URL.
const Root = "/api/v1"

// Links are the addresses that are handed out.
type Links struct {
	Signer    *Signer
	PublicURL func() string // base of all links; a slash at its end does not matter
	Now       func() time.Time
}

// Recording is a call's recording_url, with a fresh token.
func (l *Links) Recording(orgID, callID string) string {
	return l.base() + "/calls/" + callID + "/recording?t=" + url.QueryEscape(l.Signer.Token(orgID, callID, l.Now()))
}

// At is links whose tokens count from a time: what is made twice is the same.
func (l *Links) At(t time.Time) *Links {
	fixed := *l
	fixed.Now = func() time.Time { return t }
	return &fixed
}

// Download is where a recording is fetched from.
func (l *Links) Download(orgID, callID string) string {
	return l.base() + "/recordings/" + callID + "?t=" + url.QueryEscape(l.Signer.Download(orgID, callID, l.Now()))
}

func (l *Links) base() string { return strings.TrimRight(l.PublicURL(), "/") + Root }

package signedurl

import (
	"net/url"
	"strings"
	"time"
)

// Root is where the call platform lies below the public URL.
const Root = "/api/v1"

// SignedLinks are the addresses that are handed out.
type SignedLinks struct {
	Signer    *TokenSigner
	PublicURL func() string // base of all links; a slash at its end does not matter
	Now       func() time.Time
}

// RecordingURL is a call's recording_url, with a fresh token.
func (l *SignedLinks) RecordingURL(orgID, callID string) string {
	return l.baseURL() + "/calls/" + callID + "/recording?t=" + url.QueryEscape(l.Signer.RecordingToken(orgID, callID, l.Now()))
}

// LinksAt is links whose tokens count from a time: what is made twice is the same.
func (l *SignedLinks) LinksAt(t time.Time) *SignedLinks {
	fixed := *l
	fixed.Now = func() time.Time { return t }
	return &fixed
}

// DownloadURL is where a recording is fetched from.
func (l *SignedLinks) DownloadURL(orgID, callID string) string {
	return l.baseURL() + "/recordings/" + callID + "?t=" + url.QueryEscape(l.Signer.DownloadToken(orgID, callID, l.Now()))
}

func (l *SignedLinks) baseURL() string { return strings.TrimRight(l.PublicURL(), "/") + Root }

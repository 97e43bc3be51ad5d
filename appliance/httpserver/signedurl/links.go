package signedurl

import (
	"net/url"
	"strings"
	"time"
)

// Root is the path of the call platform's API below the public URL.
const Root = "/api/v1"

// SignedLinks makes the signed addresses that are handed out.
type SignedLinks struct {
	Signer    *TokenSigner
	PublicURL func() string // base of all links; a slash at its end does not matter
	Now       func() time.Time
}

// RecordingURL returns a call's recording_url, with a fresh token.
func (l *SignedLinks) RecordingURL(orgID, callID string) string {
	return l.baseURL() + "/calls/" + callID + "/recording?t=" + url.QueryEscape(
		l.Signer.RecordingToken(orgID, callID, l.Now()),
	)
}

// LinksAt returns links whose tokens are signed as of a fixed time, so that a repeated signing yields the same bytes.
func (l *SignedLinks) LinksAt(t time.Time) *SignedLinks {
	fixed := *l
	fixed.Now = func() time.Time { return t }
	return &fixed
}

// DownloadURL returns the expiring address from which a recording is downloaded.
func (l *SignedLinks) DownloadURL(orgID, callID string) string {
	return l.baseURL() + "/recordings/" + callID + "?t=" + url.QueryEscape(l.Signer.DownloadToken(orgID, callID, l.Now()))
}

func (l *SignedLinks) baseURL() string { return strings.TrimRight(l.PublicURL(), "/") + Root }

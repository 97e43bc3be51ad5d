// Package link makes and checks the signed links to recordings: the call-scoped token inside recording_url, and the
// short-lived download URL that the recording's address redirects to.
//
// It knows a secret, ids and times; neither requests nor files. A token is the id of what it opens, the time of its
// end and an HMAC-SHA-256 over both under a key derived for its purpose, so that one can't be used as the other.
package link

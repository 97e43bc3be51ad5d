package browsertest

import "github.com/chromedp/cdproto/webauthn"

// AddAuthenticator gives the tab an authenticator (WebAuthn) that keeps passkeys and verifies its user without asking.
func (p *BrowserPage) AddAuthenticator() {
	p.t.Helper()
	one := &webauthn.VirtualAuthenticatorOptions{
		Protocol: webauthn.AuthenticatorProtocolCtap2, Transport: webauthn.AuthenticatorTransportInternal,
		HasResidentKey: true, HasUserVerification: true, IsUserVerified: true, AutomaticPresenceSimulation: true,
	}
	p.runSteps("add an authenticator", runCommand(webauthn.Enable, webauthn.EnableParams{}),
		runCommand(webauthn.AddVirtualAuthenticator, webauthn.AddVirtualAuthenticatorParams{Options: one}))
}

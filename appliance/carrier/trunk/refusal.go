package trunk

import "munadi/appliance/carrier/sip"

// CauseOfPause returns why a trunk refuses calls, as [locale.DescribeRefusal] names it.
func CauseOfPause(p *sip.CallPause) string {
	switch code := p.SIPCode; {
	case code == 0:
		return "silent"
	case code == 401 || code == 407:
		return "credentials"
	case code == 403:
		return "account"
	case code == 503:
		return "overload"
	case code == 408 || code >= 500 && code < 600:
		return "server"
	default:
		return "request"
	}
}

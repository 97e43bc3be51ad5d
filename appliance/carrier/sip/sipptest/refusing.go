package sipptest

// RefusingScenario is a trunk that answers OPTIONS with 200, and INVITE with a status, or not at all without one.
func RefusingScenario(status string) string {
	answer := `<nop next="end"/>`
	if status != "" {
		answer = `<send retrans="20000"><![CDATA[
SIP/2.0 ` + status + `
[last_Via:]
[last_From:]
[last_To:];tag=[pid]-[call_number]
[last_Call-ID:]
[last_CSeq:]
Content-Length: 0

]]></send><recv request="ACK" next="end"/>`
	}
	return `<?xml version="1.0" encoding="UTF-8" ?><scenario name="refusing">
<recv request="OPTIONS" optional="true" next="alive"/>
<recv request="INVITE"/>
` + answer + `
<label id="alive"/>
<send><![CDATA[
SIP/2.0 200 OK
[last_Via:]
[last_From:]
[last_To:]
[last_Call-ID:]
[last_CSeq:]
Content-Length: 0

]]></send>
<label id="end"/></scenario>`
}

package accounts

import "strings"

// browserName returns the name of the browser in a User-Agent header, or unknown. Browsers claim to be each other, so
// the order of the checks matters.
func browserName(agent, unknown string) string {
	name := unknown
	for _, known := range [][2]string{
		{"Edg/", "Edge"},
		{"OPR/", "Opera"},
		{"SamsungBrowser/", "Samsung Internet"},
		{"Firefox/", "Firefox"},
		{"Chrome/", "Chrome"},
		{"Safari/", "Safari"},
		{"curl/", "curl"},
		{"Go-http-client", "Go"},
		{"python", "Python"},
	} {
		if strings.Contains(agent, known[0]) {
			name = known[1]
			break
		}
	}
	for _, known := range [][2]string{
		{"Android", "Android"},
		{"iPhone", "iPhone"},
		{"iPad", "iPad"},
		{"Windows", "Windows"},
		{"Mac OS", "macOS"},
		{"Linux", "Linux"},
	} {
		if strings.Contains(agent, known[0]) {
			return name + " · " + known[1]
		}
	}
	return name
}

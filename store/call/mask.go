package call

// hidden replaces the masked digits of a number; its length does not depend on theirs.
const hidden = "•••••"

// MaskNumber masks a phone number for logs and trails: country code and last two digits remain, "+9665•••••01".
func MaskNumber(number string) string {
	const head, tail = 5, 2
	if len(number) < head+tail+3 {
		return hidden
	}
	return number[:head] + hidden + number[len(number)-tail:]
}

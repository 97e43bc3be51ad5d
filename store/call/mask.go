package call

// hidden stands for the digits of a number that are not shown; it does not tell how many there are.
const hidden = "•••••"

// MaskNumber is a telephone number for trails that outlive it: its country and its last two digits, "+9665•••••01".
func MaskNumber(number string) string {
	const head, tail = 5, 2
	if len(number) < head+tail+3 {
		return hidden
	}
	return number[:head] + hidden + number[len(number)-tail:]
}

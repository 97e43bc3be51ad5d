package component

import (
	"fmt"
	"image/color"
	"strings"

	"github.com/boombuler/barcode/qr"
)

// quietZone is the white margin of a QR code, in modules (ISO/IEC 18004).
const quietZone = 4

// qrDrawing is a QR code for SVG: a square of size × size modules, and the path of the dark ones.
type qrDrawing struct {
	size int
	path string
}

// drawQRCode encodes a text with error correction of 15 % (level M).
func drawQRCode(text string) (qrDrawing, error) {
	code, err := qr.Encode(text, qr.M, qr.Auto)
	if err != nil {
		return qrDrawing{}, err
	}
	var path strings.Builder
	area := code.Bounds()
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			if code.At(x, y) == color.Black {
				fmt.Fprintf(&path, "M%d %dh1v1h-1z", x+quietZone, y+quietZone)
			}
		}
	}
	return qrDrawing{area.Dx() + 2*quietZone, path.String()}, nil
}

package media

import (
	"errors"
	"fmt"
	"slices"

	"munadi/appliance/carrier/sip/sdp"
)

// checkAgreement validates a negotiated stream.
func checkAgreement(local sdp.LocalMedia, stream sdp.AgreedStream) error {
	switch {
	case !slices.Contains(sdp.AllCodecs(), stream.Codec):
		return fmt.Errorf("no codec has number %d", stream.Codec)
	case stream.Payload > 127 || stream.Events > 127 || stream.Events == stream.Payload && stream.Events != 0:
		return fmt.Errorf("sound and keys can't be of payload types %d and %d", stream.Payload, stream.Events)
	case (local.Key == nil) != (stream.Key == nil):
		return errors.New("SRTP needs a key of each side")
	case local.Key != nil && (len(local.Key) != keyLen+saltLen || len(stream.Key) != keyLen+saltLen):
		return fmt.Errorf("keys of SRTP have %d bytes, not %d and %d", keyLen+saltLen, len(local.Key), len(stream.Key))
	}
	return nil
}

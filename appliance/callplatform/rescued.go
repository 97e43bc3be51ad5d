package callplatform

import (
	"munadi/appliance/publisher"
	"munadi/store/call"
)

// PublishRescued logs and publishes the calls of dead appliances that were ended as interrupted.
func (p *CallPlatform) PublishRescued(ended []call.Call) {
	for _, c := range ended {
		p.Log.Warn("a call of another appliance was cut off", "call_id", c.ID, "org", c.OrgID)
		publisher.NewCallPublisher(p.Hubs, c).PublishEnd(c.Status)
	}
}

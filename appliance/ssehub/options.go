package ssehub

import "time"

// HubOptions are the limits of a hub; zero fields mean the defaults.
type HubOptions struct {
	MaxViewers    int           // concurrent viewers; default 1024
	MaxOrgViewers int           // concurrent viewers of one organization; default half of all
	ReplayLimit   int           // events in the replay buffer of a topic; default 4096
	Linger        time.Duration // how long an ended topic is kept; default 1 minute
	WriteTimeout  time.Duration // of a viewer's connection; default 10 s
	Heartbeat     time.Duration // keep-alive interval; default 15 s
	MaxAge        time.Duration // of a connection, after which the browser reconnects; default 1 hour
	QueueSize     int           // queued events of a viewer; default 512
}

func (o HubOptions) withDefaults() HubOptions {
	set := func(v *int, otherwise int) {
		if *v <= 0 {
			*v = otherwise
		}
	}
	wait := func(v *time.Duration, otherwise time.Duration) {
		if *v <= 0 {
			*v = otherwise
		}
	}
	set(&o.MaxViewers, 1024)
	set(&o.MaxOrgViewers, (o.MaxViewers+1)/2)
	set(&o.ReplayLimit, 4096)
	set(&o.QueueSize, 512)
	wait(&o.Linger, time.Minute)
	wait(&o.WriteTimeout, 10*time.Second)
	wait(&o.Heartbeat, 15*time.Second)
	wait(&o.MaxAge, time.Hour)
	return o
}

package freeport_test

import (
	"fmt"
	"net"
	"testing"

	"munadi/store/freeport"
)

// TestPortsAreFree checks that ports in a row are found beside those in use.
func TestPortsAreFree(t *testing.T) {
	t.Parallel()
	for range 50 {
		ports, err := freeport.FindPorts(8)
		if err != nil {
			t.Fatal(err)
		}
		for i, port := range ports {
			if port != ports[0]+i || port < 10000 || port > 19999 {
				t.Errorf("ports %v", ports)
			}
		}
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", ports[3]))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = l.Close() })
	}
}

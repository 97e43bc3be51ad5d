package inflight_test

import (
	"context"
	"net/http/httptest"
	"testing"

	"github.com/labstack/echo/v4"

	"munadi/appliance/httpserver/inflight"
)

// WaitIdle returns at once without requests, at the end of the last one, and when its context ends.
func TestWaitIdle(t *testing.T) {
	t.Parallel()
	var counter inflight.RequestCounter
	counter.WaitIdle(t.Context())
	begun, end := make(chan struct{}), make(chan struct{})
	handle := counter.CountRequest(func(echo.Context) error {
		close(begun)
		<-end
		return nil
	})
	c := echo.New().NewContext(httptest.NewRequest("GET", "/", nil), httptest.NewRecorder())
	go func() { _ = handle(c) }()
	<-begun
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	counter.WaitIdle(ended)
	idle := make(chan struct{})
	go func() { counter.WaitIdle(t.Context()); close(idle) }()
	select {
	case <-idle:
		t.Fatal("idle while a request is in progress")
	default:
	}
	close(end)
	<-idle
}

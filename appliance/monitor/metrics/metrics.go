// Package metrics counts requests, decoding, calls and webhooks and exposes them to Prometheus at /metrics.
//
// Handlers and workers report to it; gauges are read at each scrape. It has a private registry, so that two appliances
// in one process (tests, an embedding program) do not share counters. Routes are labelled by their pattern, never by
// the client's path, and non-standard methods as "other": clients choose no label value, so that the number of series
// stays bounded.
//
// Access: loopback clients, or the metrics token. A request that came through a proxy (it has X-Forwarded-For,
// Forwarded, X-Real-IP or Via) is not from loopback, whatever the address of the proxy.
package metrics

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"munadi/engine"
)

// Metrics holds the appliance's metrics. It is safe for concurrent use.
type Metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	latency  *prometheus.HistogramVec
	audio    *prometheus.CounterVec
	stages   *prometheus.CounterVec
	factor   prometheus.Histogram
	jobs     *prometheus.CounterVec
	webhooks *prometheus.CounterVec
	answers  prometheus.Histogram
	lags     prometheus.Histogram
	ended    *prometheus.CounterVec
	gaps     prometheus.Summary
	decoding decodingTotals
}

// NewMetrics returns new metrics, those of the Go process included.
func NewMetrics() *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		requests: newCounters("http_requests_total", "Requests answered.", "method", "route", "status"),
		latency: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "munadi_http_request_duration_seconds", Help: "Duration of HTTP requests, the response included.",
			Buckets: []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 300, 1800},
		}, []string{"method", "route"}),
		audio:  newCounters("stt_audio_seconds_total", "Seconds of audio decoded.", "priority"),
		stages: newCounters("stt_stage_seconds_total", "Seconds of work by stage.", "stage"),
		factor: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "munadi_stt_real_time_factor", Help: "Processing time of whole requests per second of audio.",
			Buckets: []float64{.002, .005, .01, .02, .05, .1, .2, .5, 1, 2, 5},
		}),
		jobs:     newCounters("stt_jobs_total", "Jobs by status.", "status"),
		webhooks: newCounters("webhook_tries_total", "Webhook delivery attempts by outcome.", "outcome"),
		answers: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "munadi_webhook_answer_seconds", Help: "Response time of webhook receivers.",
			Buckets: []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}),
		lags: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "munadi_webhook_lag_seconds", Help: "Delay between the scheduled time of a delivery attempt and its start.",
			Buckets: []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 60},
		}),
		ended: newCounters("calls_ended_total", "Calls by their final status.", "status"),
		gaps: prometheus.NewSummary(prometheus.SummaryOpts{
			Name:       "munadi_call_reply_gap_seconds",
			Help:       "Silence in calls between a person's speech and the first voiced sound of the reply, of the last hour.",
			Objectives: map[float64]float64{.5: .02, .95: .005}, MaxAge: time.Hour,
		}),
	}
	m.registry.MustRegister(
		m.requests, m.latency, m.audio, m.stages, m.factor, m.jobs, m.webhooks, m.answers, m.lags, m.ended, m.gaps,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		newMemoryGauge(),
	)
	return m
}

func newCounters(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Name: "munadi_" + name, Help: help}, labels)
}

// Gauge is a figure that is read at each scrape.
type Gauge struct {
	Name, Help string // the name without the prefix munadi_
	Value      func() float64
	Labels     map[string]string // distinguish gauges of the same name; may be nil
}

// AddGauges adds gauges munadi_<name>.
func (m *Metrics) AddGauges(gauges ...Gauge) error {
	for _, g := range gauges {
		o := prometheus.GaugeOpts{Name: "munadi_" + g.Name, Help: g.Help, ConstLabels: g.Labels}
		if err := m.registry.Register(prometheus.NewGaugeFunc(o, g.Value)); err != nil {
			return err
		}
	}
	return nil
}

// gaugeSource are gauges that come and go; it implements prometheus.Collector, without descriptions in advance.
type gaugeSource func() []Gauge

// Describe implements prometheus.Collector.
func (gaugeSource) Describe(chan<- *prometheus.Desc) {}

// Collect implements prometheus.Collector.
func (list gaugeSource) Collect(to chan<- prometheus.Metric) {
	for _, g := range list() {
		o := prometheus.GaugeOpts{Name: "munadi_" + g.Name, Help: g.Help, ConstLabels: g.Labels}
		prometheus.NewGaugeFunc(o, g.Value).Collect(to)
	}
}

// AddGaugeSource adds gauges that are listed anew at each scrape.
func (m *Metrics) AddGaugeSource(list func() []Gauge) error {
	return m.registry.Register(gaugeSource(list))
}

// BoolGauge returns 1 for true, 0 for false.
func BoolGauge(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// CountRequest counts one answered request. route is the pattern that matched, empty for none; method may be any text
// that a client sent.
func (m *Metrics) CountRequest(method, route string, status int, took time.Duration) {
	method = methodLabel(method)
	if route == "" {
		route = "none"
	}
	m.requests.WithLabelValues(method, route, strconv.Itoa(status)).Inc()
	m.latency.WithLabelValues(method, route).Observe(took.Seconds())
}

// methodLabel returns a method's label: one of RFC 9110 and RFC 5789, or "other".
func methodLabel(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
		http.MethodOptions, http.MethodConnect, http.MethodTrace:
		return method
	}
	return "other"
}

// CountDecoded counts one decoded recording by its duration in seconds and the time of each stage.
func (m *Metrics) CountDecoded(p engine.QueuePriority, seconds float64, t engine.Timings) {
	m.audio.WithLabelValues(priorityLabel(p)).Add(max(seconds, 0))
	for stage, took := range map[string]time.Duration{
		"decode_audio": t.DecodeAudio, "vad": t.VAD, "features": t.Features, "encoder": t.Encoder,
		"rnnt": t.RNNT, "ctc": t.CTC, "ctc_ws": t.CTCWS,
	} {
		m.stages.WithLabelValues(stage).Add(max(took.Seconds(), 0))
	}
	if seconds > 0 {
		m.factor.Observe(t.Total.Seconds() / seconds)
	}
	m.decoding.addDecoding(seconds, t.VAD+t.Features+t.Encoder+t.RNNT+t.CTC+t.CTCWS)
}

// CountJob counts a transcription job that reached a status: queued, done, failed.
func (m *Metrics) CountJob(status string) { m.jobs.WithLabelValues(status).Inc() }

// CountDelivery counts a webhook delivery attempt by its outcome, the receiver's latency, and how late it started.
func (m *Metrics) CountDelivery(outcome string, latency, lag time.Duration) {
	m.webhooks.WithLabelValues(outcome).Inc()
	m.answers.Observe(latency.Seconds())
	m.lags.Observe(lag.Seconds())
}

// CountReply counts a reply in a call by the silence before it.
func (m *Metrics) CountReply(gap time.Duration) { m.gaps.Observe(gap.Seconds()) }

// CallEnded counts a call by its final status.
func (m *Metrics) CallEnded(status string) { m.ended.WithLabelValues(status).Inc() }

func priorityLabel(p engine.QueuePriority) string {
	switch p {
	case engine.Live:
		return "live"
	case engine.Batch:
		return "batch"
	default:
		return "upload"
	}
}

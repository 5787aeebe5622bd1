package cluster

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"harrier/internal/model"
)

// A Metric is a figure that Prometheus reads.
type Metric struct {
	Name, Help string
	Value      func() float64
}

// counter is a figure that only grows.
func counter[N uint64 | int64](name, help string, value func() N) Metric {
	return Metric{"harrier_" + name + "_total", help, func() float64 { return float64(value()) }}
}

// seconds is a time in nanoseconds, in seconds.
func seconds(value func() int64) func() float64 {
	return func() float64 { return time.Duration(value()).Seconds() }
}

// Metrics are the metrics of a worker.
func (w *Worker) Metrics() []Metric {
	return append(w.Engine.metrics(),
		counter("worker_questions", "Questions that were answered.", w.answered.Load),
		Metric{"harrier_worker_busy_seconds_total", "Time in which threads answered.", seconds(w.busy.Load)},
		Metric{"harrier_worker_threads", "Questions that are answered at once.", func() float64 { return float64(w.Threads) }})
}

// Metrics are the metrics of a check.
func (s *Spread) Metrics() []Metric {
	c := &s.counts
	return append(s.engine.metrics(),
		counter("answers", "Answers that the search was given.", c.Answers.Load),
		counter("answers_of_one_worker", "Answers of one worker alone.", c.Remote.Load),
		counter("answers_compared", "Answers that were compared with another one.", c.Twice.Load),
		counter("questions_again", "Questions that were asked again.", c.Again.Load),
		Metric{"harrier_questions_waiting_seconds_total", "Time in which questions waited for a worker.", seconds(c.Waiting.Load)},
		Metric{"harrier_questions_answering_seconds_total", "Time in which questions were with a worker.", seconds(c.InFlight.Load)},
		Metric{"harrier_threads", "Questions that are answered at once.", func() float64 { return float64(s.Threads()) }})
}

func (e *Engine) metrics() []Metric {
	return []Metric{
		counter("sent_bytes", "Bytes that were sent.", func() uint64 { out, _ := e.Bytes(); return out }),
		counter("received_bytes", "Bytes that were received.", func() uint64 { _, in := e.Bytes(); return in }),
	}
}

// ServeMetrics serves metrics at an address, under /metrics, until end is called. It returns the address, with the port that was chosen
// if that of address is 0. The error is a *model.UsageError if it cannot listen there.
func ServeMetrics(address string, metrics []Metric) (at string, end func(), err error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return "", nil, &model.UsageError{Text: fmt.Sprintf("--metrics %s: %v", address, err)}
	}
	registry := prometheus.NewRegistry()
	for _, m := range metrics {
		registry.MustRegister(m.collector())
	}
	mux := http.NewServeMux()
	mux.Handle("/metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	s := &http.Server{Handler: mux, ReadHeaderTimeout: startTime}
	var serving sync.WaitGroup
	serving.Go(func() { _ = s.Serve(listener) }) // until it is closed
	return listener.Addr().String(), func() { s.Close(); serving.Wait() }, nil
}

func (m Metric) collector() prometheus.Collector {
	if strings.HasSuffix(m.Name, "_total") {
		return prometheus.NewCounterFunc(prometheus.CounterOpts{Name: m.Name, Help: m.Help}, m.Value)
	}
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: m.Name, Help: m.Help}, m.Value)
}

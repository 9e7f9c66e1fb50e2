package guide

import (
	"expvar"

	"github.com/cacheaside/resilience/cacheaside"
)

// Counters counts what happens in a region under names that hold neither keys nor values: the region, what happened, how it ended.
func Counters(into *expvar.Map) cacheaside.Observer {
	return cacheaside.ObserverFunc(func(e cacheaside.Event) {
		name := e.Region + "." + e.Kind.String()
		switch e.Kind {
		case cacheaside.EventGet:
			name += "." + e.Status.String()
			if e.Status == cacheaside.StatusRejected {
				name += "." + e.Reason.String()
			}
		case cacheaside.EventLoad:
			name += "." + e.Source.String()
		case cacheaside.EventRecord, cacheaside.EventInvalidate:
			name += "." + e.Certainty.String()
		case cacheaside.EventWarning:
			name += "." + e.Code
		case cacheaside.EventOverdue:
		}
		into.Add(name, 1)
	})
}

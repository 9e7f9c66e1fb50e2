package model_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// What a call was told is compared as text, which is what a failing history prints. These functions put what the region gave into the words of the
// model, and look at everything on the way that the contract says of an error.

var (
	errNoRows       = errors.New("no rows")
	errBusy         = errors.New("busy")
	errBroken       = errors.New("broken")
	errUnclassified = errors.New("unclassified")
)

const odd = "ODD: "

func told(result cacheaside.Result[string], err error, since func(time.Time) int64) string {
	if usable := err == nil; usable != (result.Status == cacheaside.StatusFresh || result.Status == cacheaside.StatusLoaded ||
		result.Status == cacheaside.StatusStale) || !usable && result.Value != "" {
		return fmt.Sprintf("%sstatus %s, value %q, error %v", odd, result.Status, result.Value, err)
	}
	text := result.Status.String()
	times := fmt.Sprintf(" %d/%d", since(result.SoftExpiresAt), since(result.HardExpiresAt))
	switch result.Status {
	case cacheaside.StatusFresh:
		text = value(text, result) + times
	case cacheaside.StatusLoaded:
		text = value(text, result)
	case cacheaside.StatusStale:
		text = value(text, result) + times + " for " + why(result.Cause)
	case cacheaside.StatusAbsent, cacheaside.StatusNegativeHit:
		text = absence(result.Status, err)
		if result.Status == cacheaside.StatusNegativeHit {
			text += times
		}
	case cacheaside.StatusFailed, cacheaside.StatusRejected:
		text = why(err)
	case cacheaside.StatusCancelled:
		if !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
			return odd + err.Error()
		}
	}
	return text + recorded(result, times) + shared(result.Shared)
}

// value wants the revision to be that of the value, since both come from one load.
func value(text string, result cacheaside.Result[string]) string {
	if want := revisionOf(result.Value); result.Revision != want {
		return fmt.Sprintf("%svalue %s with revision %s", odd, result.Value, result.Revision)
	}
	return text + " " + result.Value
}

func revisionOf(value string) cacheaside.Revision { return cacheaside.Revision("r" + value) }

func absence(status cacheaside.Status, err error) string {
	var absent *cacheaside.AbsentError
	if !errors.As(err, &absent) || !errors.Is(err, cacheaside.ErrAbsent) || !errors.Is(err, errNoRows) ||
		absent.Cached != (status == cacheaside.StatusNegativeHit) {
		return odd + err.Error()
	}
	if absent.Reason == "" {
		return status.String()
	}
	return status.String() + " " + absent.Reason
}

func why(err error) string {
	var (
		source   *cacheaside.SourceError
		rejected *cacheaside.RejectedError
		entry    *cacheaside.EntryError
	)
	switch {
	case err == errUnclassified: //nolint:errorlint // the very error
		return "Failed unclassified"
	case errors.As(err, &rejected) && errors.Is(err, cacheaside.ErrRejected):
		return "Rejected " + rejected.Reason.String()
	case errors.As(err, &source) && source.Transient && errors.Is(err, errBusy):
		return "Failed transient " + source.Code
	case errors.As(err, &source) && !source.Transient && errors.Is(err, errBroken):
		return "Failed permanent " + source.Code
	case errors.As(err, &entry):
		return "Failed entry " + entry.Kind.String()
	case errors.Is(err, cacheaside.ErrLoaderExited):
		return "Failed exited"
	case errors.Is(err, cacheaside.ErrNoOutcome):
		return "Failed no outcome"
	}
	return fmt.Sprintf("%serror %v", odd, err)
}

func recorded(result cacheaside.Result[string], times string) string {
	switch result.Record.Certainty {
	case cacheaside.RecordNone:
		return ""
	case cacheaside.RecordApplied:
		return " record Applied" + times
	case cacheaside.RecordNotApplied, cacheaside.RecordIndeterminate:
	}
	return " record " + result.Record.Certainty.String() + " " + result.Record.Reason.String()
}

func shared(is bool) string {
	if is {
		return " shared"
	}
	return ""
}

package guide

import (
	"context"
	"errors"
	"net/http"

	"github.com/cacheaside/resilience/cacheaside"
)

// HTTPStatus is one way to answer a client for how a read ended. A stale value comes with a nil error.
func HTTPStatus(err error) int {
	var failure *cacheaside.SourceError
	switch {
	case err == nil:
		return http.StatusOK
	case errors.Is(err, cacheaside.ErrAbsent):
		return http.StatusNotFound
	case errors.Is(err, cacheaside.ErrRejected):
		return http.StatusServiceUnavailable // a bound refused; trying again later helps, at once it does not
	case errors.As(err, &failure) && failure.Transient:
		return http.StatusBadGateway
	case errors.Is(err, context.DeadlineExceeded):
		return http.StatusGatewayTimeout
	default:
		return http.StatusInternalServerError
	}
}

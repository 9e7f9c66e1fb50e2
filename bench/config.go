package main

import (
	"context"
	"errors"

	"github.com/cacheaside/resilience/bench/internal/bubble"
	"github.com/cacheaside/resilience/bench/internal/result"
)

func runConfig(context.Context, bubble.Bubbles, options, *result.Document, *progress) error {
	return errors.New("not yet")
}

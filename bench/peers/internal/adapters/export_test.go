package adapters

import (
	"context"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
)

// The pure parts of an answer, for tables.
var ReasonOf = reason

func EndingOf(soft time.Duration, row contender.Row, began, now time.Time) contender.Ending {
	return knowledge{soft: soft}.ending(row, began, now)
}

// Ask is a read through an adapter that knows these errors.
func Ask(ctx context.Context, absent, refused error, get func() (contender.Row, error)) contender.Answer {
	return knowledge{absent: []error{absent}, refused: map[error]string{refused: "full"}}.ask(ctx, get)
}

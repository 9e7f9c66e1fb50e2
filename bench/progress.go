package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress shows how far the whole command is: as a bar with the time left on a terminal, as a line now and then elsewhere. It is safe for
// concurrent use.
type progress struct {
	said io.Writer
	bar  *progressbar.ProgressBar

	mu    sync.Mutex
	begun time.Time
	next  time.Time
}

const (
	steps    = 1000
	sayEvery = 10 * time.Second
)

func newProgress(said io.Writer) *progress {
	p := &progress{said: said, begun: time.Now()}
	if file, ok := said.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		p.bar = progressbar.NewOptions(steps,
			progressbar.OptionSetWriter(said), progressbar.OptionSetWidth(40), progressbar.OptionSetPredictTime(true),
			progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish(), progressbar.OptionSetElapsedTime(true))
	}
	return p
}

// set says that a part of everything, 0 to 1, is done.
func (p *progress) set(part float64, what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar != nil {
		p.bar.Describe(what)
		_ = p.bar.Set(int(part * steps)) // a terminal that cannot be written to is no reason to stop
		return
	}
	if now := time.Now(); part > 0 && now.After(p.next) {
		p.next = now.Add(sayEvery)
		fmt.Fprintf(p.said, "%s: %.0f %% done%s\n", what, 100*part, left(now.Sub(p.begun), part))
	}
}

// begin says what is coming.
func (p *progress) begin(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar == nil {
		fmt.Fprintln(p.said, what)
	}
}

func left(elapsed time.Duration, part float64) string {
	if part < 0.01 {
		return ""
	}
	return fmt.Sprintf(", about %v left", time.Duration(float64(elapsed)*(1-part)/part).Round(time.Second))
}

func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}

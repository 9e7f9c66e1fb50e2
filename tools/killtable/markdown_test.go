package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/cacheaside/resilience/tools/killtable/internal/table"
)

func TestThePageOfTheProofHasTheTableAsItIs(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/proof.md")
	if err != nil {
		t.Fatal(err)
	}
	var printed bytes.Buffer
	if status := run(t.Context(), []string{"-markdown"}, table.Rows(), nil, &printed, os.Stderr); status != 0 || printed.Len() == 0 {
		t.Fatalf("status %d", status)
	}
	lines := 0
	for line := range strings.Lines(printed.String()) {
		lines++
		if !strings.Contains(string(page), line) {
			t.Errorf("docs/proof.md lacks %s", line)
		}
	}
	_, after, _ := strings.Cut(string(page), "## The kill table")
	if got := strings.Count(after, "\n| ") - 2; got != lines {
		t.Errorf("docs/proof.md has %d lines, the table %d: go run ./tools/killtable -markdown", got, lines)
	}
}

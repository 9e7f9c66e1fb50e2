// Package guide holds the code that README.md and the pages of docs/ show. It is compiled and tested here, and a test compares every Go block of
// those pages with it, so that what a reader copies works.
package guide

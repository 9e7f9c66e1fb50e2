// Package sample makes an invented document, plausible and always the same, by which drawings and reports can be tested and looked at. None of its
// figures was measured.
package sample

// Package posture tries what is refused at start-up: real servers in every setting that matters, users that may not ask, answers of odd shapes, and
// servers that are restarted, replaced and promoted under a guard.
package posture

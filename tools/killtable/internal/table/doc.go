// Package table lists the sabotages: for each the promise that it breaks and the test that must notice. A sabotage is what somebody might
// write in good faith, one change of a few lines, and no absurdity.
package table

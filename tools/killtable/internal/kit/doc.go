// Package kit applies sabotages to a library and finds out which test notices each. The files of the library are never touched: the sabotages are
// woven into copies, which the compiler is shown in their place, and wait there for a switch of the test binary, so that one build serves all
// sabotages of a package.
package kit

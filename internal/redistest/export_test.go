package redistest

// ParseMonitor is parseMonitor, whose refusals no server provokes.
var ParseMonitor = parseMonitor

package redistest

// ParseMonitor is parseMonitor, whose refusals no server provokes.
var ParseMonitor = parseMonitor

// Check is Fault.check, whose refusals end a test where Inject meets them.
var Check = Fault.check

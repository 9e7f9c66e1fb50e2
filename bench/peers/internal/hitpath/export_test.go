package hitpath

// The pure parts, for tables.
var (
	ScenarioOf = scenarioOf
	Duration   = duration
	Ratio      = ratio
)

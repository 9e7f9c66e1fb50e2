package result

// Plot is a drawing as data. Every axis names what it shows and its unit.
type Plot struct {
	ID      string `json:"id"` // unique in a document, fit for a file name
	Title   string `json:"title"`
	Caption string `json:"caption"` // what to see in it, in a sentence or two
	X       Axis   `json:"x"`
	Y       Axis   `json:"y"`
	Lines   []Line `json:"lines"`
	Shaded  []Band `json:"shaded,omitempty"` // along X, such as the time of the trigger
	Marks   []Mark `json:"marks,omitempty"`  // horizontal lines, such as a bound or the source's capacity
}

// Axis is one axis of a plot. Min and Max of 0 are chosen by the drawing.
type Axis struct {
	Label string  `json:"label"` // with the unit: "time (s)"
	Log   bool    `json:"log,omitempty"`
	Min   float64 `json:"min,omitempty"`
	Max   float64 `json:"max,omitempty"`
}

// Line is one line of a plot, of one contender where Contender is set: the same contender has the same colour in every plot.
type Line struct {
	Name      string  `json:"name"`
	Contender string  `json:"contender,omitempty"`
	Dashed    bool    `json:"dashed,omitempty"`
	Steps     bool    `json:"steps,omitempty"`  // a value holds until the next
	Points    bool    `json:"points,omitempty"` // draw a mark at each point
	Data      []Point `json:"data"`
}

// Band is a stretch of X with a name.
type Band struct {
	From float64 `json:"from"`
	To   float64 `json:"to"`
	Name string  `json:"name"`
}

// Mark is a horizontal line with a name.
type Mark struct {
	Y    float64 `json:"y"`
	Name string  `json:"name"`
}

// Map is the metastability map: how long each contender takes to recover from a slow-down of the source, by how busy the source is and how long
// the slow-down lasts.
type Map struct {
	ID           string     `json:"id"`
	Title        string     `json:"title"`
	Caption      string     `json:"caption"`
	Utilisations []float64  `json:"utilisations"`    // columns
	Triggers     []float64  `json:"trigger_seconds"` // rows
	LimitSeconds float64    `json:"limit_seconds"`   // how long was waited for a recovery
	Panels       []MapPanel `json:"panels"`
}

// MapPanel is the map of one contender. Cells is by trigger, then by utilisation: seconds to recover, -1 for never, NaN is not allowed; a cell
// that was not measured is -2.
type MapPanel struct {
	Contender string      `json:"contender"`
	Name      string      `json:"name"`
	Cells     [][]float64 `json:"cells"`
	Black     float64     `json:"black"` // the part of the cells that never recovered
}

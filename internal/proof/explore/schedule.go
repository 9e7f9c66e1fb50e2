package explore

import (
	"fmt"
	"strconv"
	"strings"
)

// Schedule is the choices of one run, each an index into what [System.Choices] gave at that point.
type Schedule []int

// String gives the schedule as text, as [ParseSchedule] reads it: "3,0,2,1".
func (s Schedule) String() string {
	texts := make([]string, len(s))
	for i, choice := range s {
		texts[i] = strconv.Itoa(choice)
	}
	return strings.Join(texts, ",")
}

// ParseSchedule reads what [Schedule.String] gave. The empty text is the schedule without choices.
func ParseSchedule(text string) (Schedule, error) {
	if text == "" {
		return nil, nil
	}
	var schedule Schedule
	for i, field := range strings.Split(text, ",") {
		choice, err := strconv.Atoi(strings.TrimSpace(field))
		if err != nil || choice < 0 {
			return nil, fmt.Errorf("explore: choice %d of the schedule is %q, must be a number that is not negative", i, field)
		}
		schedule = append(schedule, choice)
	}
	return schedule, nil
}

package envelope

import "time"

// The times of the format: 0 to the last millisecond of the year 9999.
const (
	endSeconds = 253402300800 // 10000-01-01T00:00:00Z
	maxMillis  = endSeconds*1000 - 1
)

// wireTime floors t to milliseconds. The range is judged in seconds, which no
// time.Time overflows; its milliseconds might.
func wireTime(field string, t time.Time) (uint64, error) {
	switch s := t.Unix(); {
	case s < 0:
		return 0, &FieldError{field, formatTime(t), "must not be before 1970-01-01T00:00:00Z"}
	case s >= endSeconds:
		return 0, &FieldError{field, formatTime(t), "must not be after the year 9999"}
	}
	return uint64(t.UnixMilli()), nil
}

// fromWire is the inverse of wireTime, for at most maxMillis.
func fromWire(millis uint64) time.Time { return time.UnixMilli(int64(millis)).UTC() }

// latest is the greatest hard expiry that l allows; nothing is allowed when ok
// is false. Hard expiries are whole milliseconds, so flooring the sum loses
// none of them.
func (l Limits) latest() (millis uint64, ok bool) {
	if l.Now.Unix() >= endSeconds {
		return maxMillis, true
	}
	t := l.Now.Add(max(l.MaxAhead, 0))
	switch s := t.Unix(); {
	case s < 0:
		return 0, false
	case s >= endSeconds:
		return maxMillis, true
	}
	return uint64(t.UnixMilli()), true
}

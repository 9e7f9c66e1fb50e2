package redistest

import "strconv"

// Kind says what a [Fault] does.
type Kind uint8

// Faults of connections. They know no commands.
const (
	// Refuse closes the port and resets every open connection: dialling is
	// refused, as it is while a server is down.
	Refuse Kind = iota + 1
	// ResetOnConnect accepts new connections and resets them at once, which
	// dialling or the first use reports. Open ones go on.
	ResetOnConnect
	// HalfOpen closes the server's side of every open connection and of none
	// to come, and tells no client: what clients send, then and on new
	// connections, is read and lost.
	HalfOpen
)

// Faults of requests.
const (
	// BlackHole reads the request, keeps it from the server and never answers,
	// nor anything later on that connection.
	BlackHole Kind = iota + 16
	// Cut closes the connection on sight of the request, which does not reach
	// the server. With After it cuts after so many commands.
	Cut
	// ResetMidRequest lets Bytes bytes of the request through to the server and
	// resets the connection. A request is never let through as a whole.
	ResetMidRequest
	// StallRequest lets Bytes bytes of the request through, never the whole of
	// it, and stops reading, so that a longer one meets a full socket; the rest
	// follows once the fault is released.
	StallRequest
)

// Faults of replies. The server has executed the command before any of them
// takes effect.
const (
	// Delay delivers the reply Delay later.
	Delay Kind = iota + 32
	// Hold keeps the reply until the fault is released.
	Hold
	// ResetBeforeReply resets the connection instead of delivering the reply.
	ResetBeforeReply
	// ResetMidReply delivers Bytes bytes of the reply, then resets the connection.
	ResetMidReply
	// Truncate delivers Bytes bytes of the reply, then closes the connection.
	Truncate
	// SwallowAndClose drops the reply and closes the connection.
	SwallowAndClose
	// SwallowAndKeep drops the reply; the connection goes on, and with it the
	// replies to later commands.
	SwallowAndKeep
)

// String returns the constant's name.
func (k Kind) String() string {
	switch k {
	case Refuse:
		return "Refuse"
	case ResetOnConnect:
		return "ResetOnConnect"
	case HalfOpen:
		return "HalfOpen"
	case BlackHole:
		return "BlackHole"
	case Cut:
		return "Cut"
	case ResetMidRequest:
		return "ResetMidRequest"
	case StallRequest:
		return "StallRequest"
	case Delay:
		return "Delay"
	case Hold:
		return "Hold"
	case ResetBeforeReply:
		return "ResetBeforeReply"
	case ResetMidReply:
		return "ResetMidReply"
	case Truncate:
		return "Truncate"
	case SwallowAndClose:
		return "SwallowAndClose"
	case SwallowAndKeep:
		return "SwallowAndKeep"
	}
	return "Kind(" + strconv.Itoa(int(k)) + ")"
}

func (k Kind) known() bool { return k.ofConnections() || k.ofRequests() || k.ofReplies() }

func (k Kind) ofConnections() bool { return k >= Refuse && k <= HalfOpen }

func (k Kind) ofRequests() bool { return k >= BlackHole && k <= StallRequest }

func (k Kind) ofReplies() bool { return k >= Delay && k <= SwallowAndKeep }

func (k Kind) countsBytes() bool {
	return k == ResetMidRequest || k == StallRequest || k == ResetMidReply || k == Truncate
}

func (k Kind) releasable() bool { return k == Hold || k == StallRequest }

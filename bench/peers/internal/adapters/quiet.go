package adapters

import (
	"github.com/redis/go-redis/v9/logging"
	"github.com/zeromicro/go-zero/core/logx"
	"github.com/zeromicro/go-zero/core/stat"
)

// Quiet switches off, for the whole process, what the libraries print by themselves. A command calls it before all else.
func Quiet() {
	logging.Disable()
	logx.Disable()
	stat.DisableLog()
}

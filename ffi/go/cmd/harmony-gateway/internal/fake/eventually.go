package fake

import "time"

// Eventually waits until something is so; what it waits for happens in another goroutine. false: not even after a while.
func Eventually(so func() bool) bool {
	for range 1000 {
		if so() {
			return true
		}
		time.Sleep(5 * time.Millisecond)
	}
	return false
}

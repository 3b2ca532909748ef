module harmony-peers/go

go 1.24

require (
	harmony-peers/protocol v0.0.0
	harmony-stream/ffi/go v0.0.0
)

replace (
	harmony-peers/protocol => ../protocol
	harmony-stream/ffi/go => ../../../../ffi/go
)

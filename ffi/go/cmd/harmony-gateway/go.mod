module harmony-stream/ffi/go/cmd/harmony-gateway

go 1.24

require (
	github.com/tidwall/gjson v1.18.0
	github.com/tidwall/sjson v1.2.5
	harmony-stream/ffi/go v0.0.0
)

require (
	github.com/tidwall/match v1.1.1 // indirect
	github.com/tidwall/pretty v1.2.1 // indirect
)

replace harmony-stream/ffi/go => ../..

module harmony-stream/ffi/go

go 1.24

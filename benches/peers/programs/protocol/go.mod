module harmony-peers/protocol

go 1.24

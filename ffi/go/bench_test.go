package harmony

import (
	"fmt"
	"strings"
	"testing"
)

var prose = []byte(strings.Repeat("The tide turns at noon, and the harbour fills with boats. ", 200))

// BenchmarkPush pushes prose in pieces of four bytes, about a token each; an operation is a push.
func BenchmarkPush(b *testing.B) {
	for _, size := range []int{4, 64, 1024} {
		b.Run(fmt.Sprintf("%dB", size), func(b *testing.B) { benchmarkPush(b, size) })
	}
}

func benchmarkPush(b *testing.B, size int) {
	p := newParser(b, Lenient())
	begin := func() {
		p.Reset()
		p.PushString("<|channel|>analysis<|message|>")
	}
	begin()
	b.SetBytes(int64(size))
	b.ReportAllocs()
	at := 0
	for b.Loop() {
		if at+size > len(prose) {
			at = 0
			begin()
		}
		if _, err := p.Push(prose[at : at+size]); err != nil {
			b.Fatal(err)
		}
		at += size
	}
}

// BenchmarkEmptyCall is what Go takes for any call of C: no push can be cheaper.
func BenchmarkEmptyCall(b *testing.B) {
	for b.Loop() {
		linkedABI()
	}
}

// BenchmarkTurn pushes a whole transcript in pieces of four bytes.
func BenchmarkTurn(b *testing.B) {
	for _, transcript := range transcripts(b) {
		var cut [][]byte
		for _, piece := range pieces(transcript.text, 4) {
			cut = append(cut, []byte(piece))
		}
		b.Run(transcript.name, func(b *testing.B) {
			p := newParser(b, Lenient())
			b.SetBytes(int64(len(transcript.text)))
			b.ReportAllocs()
			for b.Loop() {
				for _, chunk := range cut {
					p.Push(chunk)
				}
				p.Finish()
				p.Reset()
			}
		})
	}
}

func BenchmarkParse(b *testing.B) {
	for _, transcript := range transcripts(b) {
		b.Run(transcript.name, func(b *testing.B) {
			b.SetBytes(int64(len(transcript.text)))
			for b.Loop() {
				parse(b, transcript.text, Lenient())
			}
		})
	}
}

func BenchmarkDetectorPush(b *testing.B) {
	d, err := NewDetector(SurfaceText, NoEnd)
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	b.ReportAllocs()
	at := 0
	for b.Loop() {
		if at+4 > len(prose) {
			at = 0
		}
		d.Push(prose[at : at+4])
		at += 4
	}
}

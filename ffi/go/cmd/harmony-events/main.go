// Command harmony-events reads the text of a model from standard input in pieces and prints the events, one JSON object
// a line: the same as the program `harmony-stream --format events`.
//
//	harmony-events [-lenient] [-chunk BYTES] < transcript.txt
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"

	"harmony-stream/ffi/go"
)

func main() {
	lenient := flag.Bool("lenient", false, "repair what leaves the grammar, and take any recipient for a tool")
	chunk := flag.Int("chunk", 64, "give the text to the parser in pieces of at most this many `bytes`")
	flag.Parse()
	if *chunk < 1 || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	options := harmony.Options{}
	if *lenient {
		options = harmony.Lenient()
	}
	if err := run(os.Stdin, os.Stdout, options, *chunk); err != nil {
		fmt.Fprintln(os.Stderr, "harmony-events:", err)
		os.Exit(2)
	}
}

// run prints the events of a piece before it waits for the next one.
func run(in io.Reader, out io.Writer, options harmony.Options, size int) error {
	parser, err := harmony.NewParser(options)
	if err != nil {
		return err
	}
	defer parser.Close()
	lines := bufio.NewWriter(out)
	chunk := make([]byte, size)
	for {
		n, readErr := in.Read(chunk)
		events, err := parser.Push(chunk[:n])
		if err != nil {
			return err
		}
		if err := write(lines, parser, events); err != nil {
			return err
		}
		if readErr == io.EOF {
			break
		}
		if readErr != nil {
			return readErr
		}
	}
	events, err := parser.Finish()
	if err != nil {
		return err
	}
	return write(lines, parser, events)
}

func write(lines *bufio.Writer, parser *harmony.Parser, events []harmony.Event) error {
	for i := range events {
		line, err := appendEvent(lines.AvailableBuffer(), parser, &events[i])
		if err != nil {
			return err
		}
		if _, err := lines.Write(line); err != nil {
			return err
		}
	}
	return lines.Flush()
}

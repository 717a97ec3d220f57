package tty

import (
	"os"

	"golang.org/x/sys/windows"
)

// keyboardName is the file of the console of this process.
const keyboardName = "CONIN$"

// codePage returns the code page of the console's output, 0 where there is no console.
func codePage() uint32 {
	page, err := windows.GetConsoleOutputCP()
	if err != nil {
		return 0
	}
	return page
}

// sequences lets a console heed escape sequences, and reports whether it does: those before Windows 10 do not.
func sequences(out *os.File) bool {
	console, mode := windows.Handle(out.Fd()), uint32(0)
	if windows.GetConsoleMode(console, &mode) != nil {
		return true // no console
	}
	return windows.SetConsoleMode(console, mode|windows.ENABLE_PROCESSED_OUTPUT|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}

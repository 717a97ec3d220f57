package servers

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"runtime"
	"strconv"
	"strings"

	"asldb/internal/files"
)

// maxTable bounds the kernel's table of connections, in bytes: one has 150.
const maxTable = 64 << 20

// sameUser returns an error where a connection of this machine is not of the user of this process: a session runs
// commands and reads files for whoever is connected. Linux alone tells whose a connection is; elsewhere every user of
// the machine is let in.
func sameUser(connection net.Conn) error {
	if runtime.GOOS != "linux" {
		return nil
	}
	from, err := netip.ParseAddrPort(connection.RemoteAddr().String())
	if err != nil {
		return err
	}
	to, err := netip.ParseAddrPort(connection.LocalAddr().String())
	if err != nil {
		return err
	}
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} { // an address of IPv4 may be in the second, too
		text, err := files.Read(table, maxTable)
		if errors.Is(err, os.ErrNotExist) { // no IPv6
			continue
		}
		if err != nil {
			return err
		}
		if user, found := userOf(string(text), from, to); found {
			if user != strconv.Itoa(os.Getuid()) {
				return fmt.Errorf("it is of another user (uid %s)", user)
			}
			return nil
		}
	}
	return errors.New("its user is not known")
}

// userOf returns the number of the user who has connected an address to another one, from a table of the kernel.
func userOf(table string, from, to netip.AddrPort) (user string, found bool) {
	const local, remote, uid = 1, 2, 7 // the columns
	for line := range strings.Lines(table) {
		fields := strings.Fields(line)
		if len(fields) > uid && addressOf(fields[local]) == unmapped(from) &&
			addressOf(fields[remote]) == unmapped(to) {
			return fields[uid], true
		}
	}
	return "", false
}

// addressOf reads an address of the kernel's table: words of 32 bits in the machine's order, and a port, in hexadecimal
// digits.
func addressOf(text string) netip.AddrPort {
	host, port, _ := strings.Cut(text, ":")
	bytes, err := hex.DecodeString(host)
	number, wrong := strconv.ParseUint(port, 16, 16)
	if errors.Join(err, wrong) != nil || len(bytes)%4 != 0 {
		return netip.AddrPort{} // the heading
	}
	for word := bytes; len(word) > 0; word = word[4:] {
		binary.NativeEndian.PutUint32(word, binary.BigEndian.Uint32(word))
	}
	address, _ := netip.AddrFromSlice(bytes)
	return unmapped(netip.AddrPortFrom(address, uint16(number)))
}

// unmapped returns an address of IPv4 as such.
func unmapped(a netip.AddrPort) netip.AddrPort { return netip.AddrPortFrom(a.Addr().Unmap(), a.Port()) }

//go:build windows || plan9

package libc

import (
	"errors"
	"io/fs"
	"os"
)

// Error numbers that natives set themselves. Windows' C has the old Unix ones.
const (
	eNOENT = 2
	eIO    = 5
	eBADF  = 9
	eNOMEM = 12
	eACCES = 13
	eEXIST = 17
	eINVAL = 22
	eDOM   = 33
	eRANGE = 34

	eOVERFLOW = 132
)

// number is the C error number of err, as far as package os identifies the error.
func number(err error) int32 {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return eNOENT
	case errors.Is(err, fs.ErrPermission):
		return eACCES
	case errors.Is(err, fs.ErrExist):
		return eEXIST
	case errors.Is(err, fs.ErrClosed), errors.Is(err, os.ErrInvalid):
		return eBADF
	}
	return eIO
}

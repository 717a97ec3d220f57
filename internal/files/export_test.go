package files

// ForbidOutside ends what [AllowOutside] has begun.
func ForbidOutside() { outside.Store(false) }

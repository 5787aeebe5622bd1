package partition

// MostBody has most messages of tests go in parts.
const MostBody = 500

func init() { mostBody = MostBody }

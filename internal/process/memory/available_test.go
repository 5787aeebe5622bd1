package memory

import (
	"os"
	"path/filepath"
	"testing"

	"harrier/internal/testkit/must"
)

func TestAvailable(t *testing.T) {
	const meminfo = "MemTotal:       16777216 kB\nMemFree:         1000000 kB\n" // 16 GiB
	type files map[string]string
	for name, c := range map[string]struct {
		files files
		want  uint64
		group bool
	}{
		"nothing is known": {files{}, 0, false},
		"no control group": {files{"proc/meminfo": meminfo}, 16 << 30, false},
		"version 2": {files{
			"proc/meminfo": meminfo, "proc/self/cgroup": "0::/user/check\n",
			"sys/fs/cgroup/user/check/memory.max": "2147483648\n", "sys/fs/cgroup/user/memory.max": "max\n",
		}, 2 << 30, true},
		"version 2, the limit is further up": {files{
			"proc/meminfo": meminfo, "proc/self/cgroup": "0::/user/check\n",
			"sys/fs/cgroup/user/check/memory.max": "max\n", "sys/fs/cgroup/user/memory.max": "1073741824\n",
		}, 1 << 30, true},
		"version 2, a container that sees its group at the top": {files{
			"proc/meminfo": meminfo, "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "1073741824\n",
		}, 1 << 30, true},
		"version 2, a group beside the container's": {files{
			"proc/meminfo": meminfo, "proc/self/cgroup": "0::/../other\n", "sys/fs/cgroup/memory.max": "1073741824\n",
			"sys/fs/other/memory.max": "1\n",
		}, 1 << 30, true},
		"version 1": {files{
			"proc/meminfo": meminfo, "proc/self/cgroup": "5:cpu,cpuacct:/a\n4:memory:/a/b\n0::/\n",
			"sys/fs/cgroup/memory/a/b/memory.limit_in_bytes": "4294967296\n",
			"sys/fs/cgroup/memory/a/memory.limit_in_bytes":   "3221225472\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes":     "9223372036854771712\n",
		}, 3 << 30, true},
		"version 1, a path that only the machine knows": {files{
			"proc/meminfo": meminfo, "proc/self/cgroup": "4:hugetlb,memory:/docker/0123\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "1073741824\n",
		}, 1 << 30, true},
		"version 1 and 2, where a group of 2 has no controllers": {files{
			"proc/meminfo": meminfo, "proc/self/cgroup": "4:memory:/a\n1:name=systemd:/\n0::/b\n",
			"sys/fs/cgroup/memory/a/memory.limit_in_bytes": "2147483648\n", "sys/fs/cgroup/memory.max": "4294967296\n",
		}, 2 << 30, true},
		"version 1 without a limit": {files{
			"proc/meminfo": meminfo, "proc/self/cgroup": "4:memory:/\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
		}, 16 << 30, false},
		"no limit, on a machine that does not tell": {files{
			"proc/self/cgroup":                           "4:memory:/\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
		}, 0, false},
		"a limit beyond the machine": {files{
			"proc/meminfo": meminfo, "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "17179869185\n",
		}, 16 << 30, false},
		"a limit, on a machine that does not tell": {files{
			"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "1073741824\n",
		}, 1 << 30, true},
		"files that cannot be understood": {files{
			"proc/meminfo": meminfo, "proc/self/cgroup": "memory\n4:memory\n0::/\n", "sys/fs/cgroup/memory.max": "much\n",
		}, 16 << 30, false},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			for file, content := range c.files {
				path := filepath.Join(root, file)
				must.Do(os.MkdirAll(filepath.Dir(path), 0o755))
				must.Do(os.WriteFile(path, []byte(content), 0o644))
			}
			if got, group := availableIn(root); got != c.want || group != c.group {
				t.Errorf("got %d, %v; want %d, %v", got, group, c.want, c.group)
			}
		})
	}
}

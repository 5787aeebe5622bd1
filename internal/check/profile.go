package check

import (
	"context"
	"crypto/sha256"
	"fmt"

	"harrier/bridge"
	"harrier/internal/profile"
	"harrier/internal/report"
)

// record begins the profile of the check, if one is asked for.
func (c *Check) record() (err error) {
	if c.Profile && !c.isTrial {
		c.recording, err = profile.Start()
	}
	return err
}

// profiled ends the profile, and keeps its files.
func (c *Check) profiled(ctx context.Context) error {
	if c.recording == nil {
		return nil
	}
	var java []bridge.Sample
	if _, err := c.askLast(ctx, func(ctx context.Context) (err error) {
		java, err = c.loaded.Profile(ctx)
		return err
	}); err != nil {
		return err
	}
	p, cpu, heap, err := c.recording.Stop(java, c.known.memory.VisitedBytes)
	if err != nil {
		return err
	}
	h := sha256.New()
	h.Write(cpu)
	folder, err := c.Keep(report.FolderName(c.Summary.Scenario, h), map[string][]byte{report.CPUProfileFile: cpu, report.HeapProfileFile: heap})
	if err != nil {
		c.remark(fmt.Sprintf("writing profiles: %v; --out names another folder", err))
	}
	c.known.profile, c.known.profiles = p, folder
	return nil
}

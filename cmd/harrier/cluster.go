package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"harrier/internal/cluster"
	"harrier/internal/search"
)

// clusterFlags are the flags of a check whose steps workers execute.
type clusterFlags struct {
	cluster string // a URL, or search.OwnCluster; "" for none
	answers string // once or twice
	metrics string // the address for Prometheus; "" for none
}

func (f *clusterFlags) register(c *cobra.Command, share *string) {
	c.Flags().StringVar(&f.cluster, "cluster", "", "have workers execute steps, at a `URL` or at that in a file; without, here")
	c.Flags().Lookup("cluster").NoOptDefVal = search.OwnCluster
	registerMetrics(c, &f.metrics)
	c.Flags().StringVar(&f.answers, "answers", "once", "ask one worker for each step, and another for a sample, or twice")
	c.Flags().StringVar(share, "share", "", "have workers explore the states, and keep them at a `PLACE`, such as servers")
}

// settlePlace has --share, if it names a folder, name it by an absolute path: workers and a search that goes on may have other working
// directories.
func settlePlace(c *cobra.Command, place string) error {
	if !c.Flags().Changed("share") || place == cluster.SharedByServers || strings.Contains(place, "://") {
		return nil
	}
	if strings.Trim(place, "0123456789") == "" {
		return fmt.Errorf("--share %s: name where workers, of which there may be any number, keep the states: servers, a folder that all machines have (./NAME), or s3://server/bucket", place)
	}
	whole, err := filepath.Abs(place)
	if err != nil {
		return fmt.Errorf("--share %s: %w", place, err)
	}
	return c.Flags().Set("share", whole)
}

func registerMetrics(c *cobra.Command, address *string) {
	c.Flags().StringVar(address, "metrics", "", "an `address` at which Prometheus reads figures of the cluster")
}

// takeURL takes the URL of --cluster from the arguments: that flag may have no value, so that what follows it is an argument.
func (f *clusterFlags) takeURL(c *cobra.Command, args []string) []string {
	if !c.Flags().Changed("cluster") {
		return args
	}
	return slices.DeleteFunc(slices.Clone(args), func(a string) bool {
		is := strings.Contains(a, "://")
		if is {
			f.cluster = a
		}
		return is
	})
}

// checkCredentials refuses a URL on a command line that should be in a file. How a file is named there is given.
func checkCredentials(at, named string) error {
	if !cluster.HasCredentials(at) {
		return nil
	}
	return errors.New("the URL of the cluster has credentials, which all users of this machine can see on a command line: " +
		"write it to a file that only you can read, and name that: " + named)
}

package main

import (
	"errors"
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

func (f *clusterFlags) register(c *cobra.Command, share *int) {
	c.Flags().StringVar(&f.cluster, "cluster", "", "have workers execute steps, at a `URL` or at that in a file; without, here")
	c.Flags().Lookup("cluster").NoOptDefVal = search.OwnCluster
	registerMetrics(c, &f.metrics)
	c.Flags().StringVar(&f.answers, "answers", "once", "ask one worker for each step, and another for a sample, or twice")
	c.Flags().IntVar(share, "share", 0, "have so many workers explore the states, too, on machines that you trust")
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

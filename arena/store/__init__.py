"""Redis: the one place that knows keys and scripts."""

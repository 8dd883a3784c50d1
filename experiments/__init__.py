"""Commands: training, evaluation, demonstration, game records, throughput; one file each."""
